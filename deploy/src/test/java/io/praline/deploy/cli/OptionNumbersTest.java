package io.praline.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.terminal.OptionLimits;
import io.praline.deploy.terminal.Within;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Numbers that cannot be are told before anything is done, of every option that takes one. */
class OptionNumbersTest {

    private static final Set<Class<?>> NUMBERS =
            Set.of(int.class, Integer.class, long.class, Long.class, double.class, Double.class);

    /** Any number is one. */
    private static final Set<String> ANY = Set.of("--seed");

    private record Numbered(List<String> command, OptionSpec option) {

        @Override
        public String toString() {
            return String.join(" ", command) + " " + option.longestName();
        }

        Within limits() {
            return OptionLimits.limits(option).orElseThrow();
        }

        boolean hasFraction() {
            return option.type() == double.class || option.type() == Double.class;
        }
    }

    private static Stream<Numbered> numbers() {
        List<Numbered> all = new ArrayList<>();
        collect(List.of(), Praline.commandLine(), all);
        return all.stream();
    }

    private static void collect(List<String> words, CommandLine command, List<Numbered> all) {
        command.getCommandSpec().options().stream()
                .filter(option -> NUMBERS.contains(option.type()))
                .forEach(option -> all.add(new Numbered(words, option)));
        command.getSubcommands().forEach((name, sub) -> {
            List<String> deeper = new ArrayList<>(words);
            deeper.add(name);
            collect(deeper, sub, all);
        });
    }

    @Test
    void everyOptionThatTakesANumberSaysWhichItTakes() {
        assertThat(numbers()).hasSizeGreaterThan(50).allSatisfy(each -> assertThat(
                        OptionLimits.limits(each.option()).isPresent())
                .as(each.toString())
                .isNotEqualTo(ANY.contains(each.option().longestName())
                        && !each.command().contains("chaos")));
    }

    private static Stream<Numbered> limited() {
        return numbers().filter(each -> OptionLimits.limits(each.option()).isPresent());
    }

    @ParameterizedTest
    @MethodSource("limited")
    void whatIsBelowAndAboveIsToldByTheOptionsName(Numbered each) {
        Within limits = each.limits();
        if (each.hasFraction()) {
            assertRefused(each, limits.more() ? limits.least() + ".0" : limits.least() - 1 + ".0");
            assertRefused(each, "NaN");
            if (!limits.endless()) {
                assertRefused(each, "Infinity");
            }
            return;
        }
        if (limits.least() > Long.MIN_VALUE) {
            assertRefused(each, Long.toString(limits.least() - 1));
        }
        if (limits.most() < largest(each.option())) {
            assertRefused(each, Long.toString(limits.most() + 1));
        }
        String more =
                BigInteger.valueOf(largest(each.option())).add(BigInteger.ONE).toString();
        assertThat(line(each, more))
                .startsWith(
                        "praline: Invalid value for option '" + each.option().longestName() + "': '" + more + "'");
    }

    private static long largest(OptionSpec option) {
        return option.type() == int.class || option.type() == Integer.class ? Integer.MAX_VALUE : Long.MAX_VALUE;
    }

    private static void assertRefused(Numbered each, String number) {
        assertThat(line(each, number))
                .matches("praline: " + each.option().longestName()
                        + " must (not be negative|be (at least|at most|above) .+), is " + number
                        + "; see 'praline .*--help'");
    }

    /** The one that a command says and ends with, with all else that it asks for. */
    private static String line(Numbered each, String number) {
        List<String> words = new ArrayList<>(each.command());
        CommandLine command = Praline.commandLine();
        for (String name : each.command()) {
            command = command.getSubcommands().get(name);
        }
        for (ArgSpec other : command.getCommandSpec().args()) {
            boolean itself = other instanceof OptionSpec option
                    && option.longestName().equals(each.option().longestName());
            if (!other.required() || itself || other.group() != null) {
                continue;
            }
            if (other instanceof OptionSpec option) {
                words.add(option.longestName());
            }
            words.add("1");
        }
        if (each.command().contains("actuator")) {
            words.add("--local");
        }
        words.add(each.option().longestName() + "=" + number);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        assertThat(code).as(words + ": " + err).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines()).as(words.toString()).hasSize(1);
        return err.toString().strip();
    }
}
