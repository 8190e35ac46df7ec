package io.praline.identity;

import java.util.Comparator;

/**
 * One worker working for one job in one epoch.
 *
 * @param epoch counted from 0
 * @param attempt counted from 0 within job and epoch
 */
public record AttemptKey(String job, int epoch, int attempt) implements Comparable<AttemptKey> {
    private static final Comparator<AttemptKey> ORDER = Comparator.comparing(AttemptKey::job)
            .thenComparingInt(AttemptKey::epoch)
            .thenComparingInt(AttemptKey::attempt);

    public AttemptKey {
        if (job.isEmpty()) {
            throw new IllegalArgumentException("job must not be empty");
        }
        if (epoch < 0) {
            throw new IllegalArgumentException("epoch must not be negative, is " + epoch);
        }
        if (attempt < 0) {
            throw new IllegalArgumentException("attempt must not be negative, is " + attempt);
        }
    }

    @Override
    public int compareTo(AttemptKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return job + "/" + epoch + "/" + attempt;
    }
}
