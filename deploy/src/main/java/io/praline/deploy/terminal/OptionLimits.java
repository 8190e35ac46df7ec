package io.praline.deploy.terminal;

import java.lang.reflect.Field;
import java.util.Optional;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Numbers of the command line that cannot be, told by the option's name as the user wrote it. */
public final class OptionLimits {
    /** The highest port there is. */
    public static final int MOST_PORT = 65_535;

    private OptionLimits() {}

    /**
     * Looks at all that was given.
     *
     * @throws ParameterException if an option is not {@link Within} its limits, naming it
     */
    public static void check(ParseResult parsed) {
        for (OptionSpec option : parsed.matchedOptions()) {
            if (option.getValue() instanceof Number given) {
                limits(option).flatMap(limits -> wrong(limits, given)).ifPresent(wrong -> {
                    throw new ParameterException(
                            parsed.commandSpec().commandLine(), option.longestName() + " " + wrong + ", is " + given);
                });
            }
        }
        if (parsed.hasSubcommand()) {
            check(parsed.subcommand());
        }
    }

    /** Those of an option; empty where it takes any number, or is none. */
    public static Optional<Within> limits(OptionSpec option) {
        return option.userObject() instanceof Field field
                ? Optional.ofNullable(field.getAnnotation(Within.class))
                : Optional.empty();
    }

    private static Optional<String> wrong(Within limits, Number given) {
        if (given instanceof Double amount) {
            return wrongAmount(limits, amount);
        }
        long number = given.longValue();
        if (number < limits.least()) {
            return Optional.of(limits.least() == 0 ? "must not be negative" : "must be at least " + limits.least());
        }
        return number > limits.most() ? Optional.of("must be at most " + limits.most()) : Optional.empty();
    }

    private static Optional<String> wrongAmount(Within limits, double amount) {
        boolean enough = limits.more() ? amount > limits.least() : amount >= limits.least();
        boolean few = amount <= limits.most() && Double.isFinite(amount);
        if (enough && (few || (limits.endless() && Double.isInfinite(amount)))) {
            return Optional.empty();
        }
        String least = (limits.more() ? "must be above " : "must be at least ") + limits.least();
        return Optional.of(
                limits.most() < Long.MAX_VALUE
                        ? least + " and at most " + limits.most()
                        : limits.endless() ? least : least + " and finite");
    }
}
