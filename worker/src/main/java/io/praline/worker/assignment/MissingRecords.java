package io.praline.worker.assignment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells the records of a split that failed from those that were lost with them: where a function of a batch fails, none of the batch
 * comes out. Records are run again by themselves, and where one passes, beginnings of those that are left, until the one is found
 * with which they fail.
 */
public final class MissingRecords {
    private final Trial trial;
    private final AtomicInteger tries;

    /** Runs records of the split again. */
    public interface Trial {
        /** How the pipeline fails on these records, in their order, if it does. */
        Optional<String> failure(List<Long> records);

        /** Whether it fails on the record also where batches are full of it. */
        boolean failsInFullBatches(long record);
    }

    /**
     * What is known of the records.
     *
     * @param failed on these it fails, with what it says
     * @param passed run by themselves they do not fail
     * @param untried nobody ran them again
     */
    public record Found(Map<Long, String> failed, List<Long> passed, List<Long> untried) {}

    /** @param tries how often something may be run again, for all splits together; it goes down */
    public MissingRecords(Trial trial, AtomicInteger tries) {
        this.trial = trial;
        this.tries = tries;
    }

    /**
     * Looks through the records of a split that are missing.
     *
     * @param records in their order
     * @param together whether one that passes may have been lost with another one, which is looked for
     */
    public Found among(List<Long> records, boolean together) {
        Map<Long, String> failed = new TreeMap<>();
        List<Long> passed = new ArrayList<>();
        List<Long> left = records;
        while (!left.isEmpty() && tries.get() > 0) {
            long record = left.get(0);
            Optional<String> why = failure(left.subList(0, 1));
            if (why.isPresent() && trial.failsInFullBatches(record)) {
                failed.put(record, why.get());
                left = left.subList(1, left.size());
            } else {
                int passing = together && why.isEmpty() ? passing(left) : 1;
                passed.addAll(left.subList(0, passing));
                left = left.subList(passing, left.size());
            }
        }
        return new Found(failed, passed, List.copyOf(left));
    }

    /** How many of these pass, from the first on, which does. */
    private int passing(List<Long> records) {
        int passes = 1;
        int fails = records.size() + 1;
        while (fails - passes > 1) {
            // all of them first: mostly one batch is missing, and its bad record was found
            int next = fails > records.size() ? records.size() : passes + (fails - passes) / 2;
            if (failure(records.subList(0, next)).isPresent()) {
                fails = next;
            } else {
                passes = next;
            }
        }
        return passes;
    }

    private Optional<String> failure(List<Long> records) {
        tries.decrementAndGet();
        return trial.failure(records);
    }
}
