package io.praline.deploy.terminal;

import io.praline.dispatcher.replay.Explanation;
import io.praline.policy.Counted;
import io.praline.policy.Quantity;
import io.praline.schema.JournalEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Every decision on a job in order, and how far off expectations were.
 *
 * @param decisions as lines for people and as objects for programs
 * @param foretold a line for each quantity that was expected: how often, and how far off in the mean
 */
public record JobExplanation(List<ExplanationView> decisions, List<String> foretold) {

    public JobExplanation {
        decisions = List.copyOf(decisions);
        foretold = List.copyOf(foretold);
    }

    /**
     * What a journal tells.
     *
     * @throws CommandFailed if it cannot be read
     */
    public static JobExplanation of(List<JournalEntry> entries) {
        List<Explanation> all;
        try {
            all = Explanation.all(entries);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailed(ExitCode.REFUSED, "the journal cannot be read: " + wrong.getMessage(), wrong);
        }
        SortedMap<Quantity, List<Double>> errors = new TreeMap<>();
        all.forEach(one -> one.compared().forEach((quantity, compared) -> compared.error()
                .map(Math::abs)
                .ifPresent(error -> errors.computeIfAbsent(quantity, none -> new ArrayList<>())
                        .add(error))));
        List<String> foretold = new ArrayList<>();
        errors.forEach((quantity, wrong) -> foretold.add(String.format(
                Locale.ROOT,
                "%s was foretold %s, off by %.1f %% in the mean",
                quantity.key(),
                Counted.of(wrong.size(), "time"),
                100 * wrong.stream().mapToDouble(Double::doubleValue).average().orElse(0))));
        return new JobExplanation(all.stream().map(ExplanationView::new).toList(), foretold);
    }
}
