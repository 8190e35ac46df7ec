package io.praline.deploy.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Something that breaks in a run.
 *
 * @param at when: as soon as all trainers together have trained on so many elements
 * @param kind what is done
 * @param targets to whom; of a cut the two that do not hear each other, of whom the first is no broker; of a join a trainer
 *     of the job, and the one that joins; none of entries
 * @param lasts how long it stays broken, or goes on being broken
 */
public record Fault(long at, Kind kind, List<Target> targets, Duration lasts) {

    /** What is done to them. */
    public enum Kind {
        /** Killed, and started again when the time is over. */
        KILL,
        /** Stopped, and continued when the time is over. */
        STOP,
        /** Between these two nothing passes until the time is over. */
        CUT,
        /** A trainer is asked to leave its job, for good. */
        LEAVE,
        /** A trainer that was not there joins a job, for good. */
        JOIN,
        /** A trainer is stopped, another takes its place at once, and it goes on when the time is over. */
        REPLACE,
        /** Files of the workers' store of entries are deleted, cut short and changed, some at a time, until the time is over. */
        ENTRIES
    }

    public Fault {
        targets = List.copyOf(targets);
        if (at < 0 || lasts.isNegative()) {
            throw new IllegalArgumentException("at and lasts must not be negative, are " + at + " and " + lasts);
        }
        boolean ofTwo = kind == Kind.CUT || kind == Kind.JOIN;
        if (targets.isEmpty() != (kind == Kind.ENTRIES) || (ofTwo && targets.size() != 2)) {
            throw new IllegalArgumentException(kind + " is of some targets, of two, or of none, is of " + targets);
        }
    }

    /** How many processes die of it. */
    int deaths() {
        return kind == Kind.KILL ? targets.size() : 0;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "at %d %s%s for %.1f s",
                at,
                kind.name().toLowerCase(Locale.ROOT),
                targets.stream()
                        .map(target -> " " + target)
                        .collect(Collectors.joining(kind == Kind.CUT ? " from" : ",")),
                lasts.toMillis() / 1e3);
    }
}
