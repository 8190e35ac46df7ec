package io.praline.deploy.chaos;

import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.Life;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What trainers wrote down against what there was to train on.
 *
 * <p>A life that ceased may have trained on elements that the ledger cannot know of: that these come again is on record, and
 * counts as <em>possibly twice</em>. So a repeat is explained exactly if all that was trained before it was in doubt.
 *
 * @param trained how many elements were trained on, repeats among them
 * @param missing how many never were
 * @param duplicates repeats that nothing explains
 * @param possiblyTwice repeats of what was in doubt
 * @param foreign elements that there are not
 * @param examples some of what is wrong, a line each
 */
record Tally(long trained, long missing, long duplicates, long possiblyTwice, long foreign, List<String> examples) {
    private static final int EXAMPLES = 3;
    private static final String NEVER = " was never trained on";

    Tally {
        examples = List.copyOf(examples);
    }

    /**
     * Counts.
     *
     * @param expected each element that must be trained on
     * @param all what was trained on
     * @param inDoubt whether the ledger could not know that a life, which ceased, trained on it
     */
    static Tally of(
            Collection<JobPlan.Element> expected, Collection<Life.Trained> all, Predicate<Life.Trained> inDoubt) {
        Map<JobPlan.Element, List<Life.Trained>> by = new HashMap<>();
        all.forEach(one ->
                by.computeIfAbsent(one.element(), element -> new ArrayList<>(1)).add(one));
        Examples examples = new Examples();
        Set<JobPlan.Element> wanted = new HashSet<>(expected);
        long missing = 0;
        for (JobPlan.Element element : wanted) {
            if (!by.containsKey(element)) {
                missing++;
                examples.add("missing", element + NEVER);
            }
        }
        long foreign = 0;
        long duplicates = 0;
        long possiblyTwice = 0;
        for (Map.Entry<JobPlan.Element, List<Life.Trained>> one : by.entrySet()) {
            if (!wanted.contains(one.getKey())) {
                foreign++;
                examples.add("foreign", one.getKey() + " is none of the job's");
            }
            List<Life.Trained> times = one.getValue();
            times.sort(Comparator.comparingLong(Life.Trained::atMillis));
            boolean certain = false;
            for (int at = 0; at < times.size(); at++) {
                if (at > 0 && certain) {
                    duplicates++;
                    examples.add("duplicates", told(times));
                } else if (at > 0) {
                    possiblyTwice++;
                }
                certain |= !inDoubt.test(times.get(at));
            }
        }
        return new Tally(all.size(), missing, duplicates, possiblyTwice, foreign, examples.lines);
    }

    /** The same of a run that was broken off, in which nothing can be missing yet. */
    Tally withoutMissing() {
        return new Tally(
                trained,
                0,
                duplicates,
                possiblyTwice,
                foreign,
                examples.stream().filter(line -> !line.endsWith(NEVER)).toList());
    }

    private static String told(List<Life.Trained> times) {
        StringBuilder line = new StringBuilder(times.get(0).element() + " was trained on by");
        times.forEach(time -> line.append(" consumer ")
                .append(time.consumer())
                .append(" in life ")
                .append(time.life())
                .append(" at ")
                .append(time.atMillis())
                .append(" (ticket ")
                .append(time.ticket())
                .append(")"));
        return line.toString();
    }

    /** A few of each kind. */
    private static final class Examples {
        private final List<String> lines = new ArrayList<>();
        private final Map<String, Integer> counts = new HashMap<>();

        private void add(String kind, String line) {
            if (counts.merge(kind, 1, Integer::sum) <= EXAMPLES) {
                lines.add(line);
            }
        }
    }
}
