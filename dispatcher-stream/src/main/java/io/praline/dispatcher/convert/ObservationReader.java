package io.praline.dispatcher.convert;

import io.praline.policy.Command;
import io.praline.policy.Observation;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@link DecisionWriter} wrote, read back. What the journal has beside it is the dispatcher's own. */
public final class ObservationReader {
    private ObservationReader() {}

    /**
     * What policies saw in this turn; empty where the turn was the dispatcher's own, or a shadow's.
     *
     * @throws IllegalArgumentException naming the entry and what is missing in it or cannot be
     */
    public static Optional<Observation> observation(JournalEntry entry) {
        try {
            return observation(entry.getObservation(), Instant.ofEpochMilli(entry.getAtMillis()));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "entry " + entry.getSequence() + " of job " + entry.getJob() + ": " + wrong.getMessage(), wrong);
        }
    }

    static Optional<Observation> observation(Observed seen, Instant at) {
        Numbers in = new Numbers(seen.getKind(), seen.getNumbers());
        Optional<JournalKind> kind = JournalKind.of(seen.getKind());
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        return switch (kind.get()) {
            case PLANNED ->
                Optional.of(new Observation.Planned(at, in.whole("splits"), in.whole("bytes"), in.flag("singleTask")));
            case POOL_CHANGED -> Optional.of(new Observation.PoolChanged(at, in.small("workers"), in.small("slots")));
            case TERMS_SET -> Optional.of(new Observation.TermsSet(at, terms(in, seen.getTexts())));
            case PINNED ->
                Optional.of(new Observation.Pinned(
                        at, seen.getNumbers().isEmpty() ? Optional.empty() : Optional.of(in.target())));
            case GRANTED -> Optional.of(new Observation.Granted(at, in.target()));
            case RATE_MEASURED ->
                Optional.of(new Observation.RateMeasured(
                        at, seen.getSubject(), in.flag("local"), in.small("beside"), in.real("elementsPerSecond")));
            case WINDOW_CLOSED -> Optional.of(window(in, seen.getSubject(), at));
            case ORDER_CHANGED -> Optional.of(new Observation.OrderChanged(at, in.real("gain")));
            case TENANT_SPENT -> Optional.of(new Observation.TenantSpent(at, in.real("spent"), in.real("cap")));
            case CLOCK -> Optional.of(new Observation.Clock(at));
            case WINDOW_REFUSED,
                    PLAN_WANTED,
                    PAUSE_REQUESTED,
                    JOB_ENDED,
                    SLOTS_DIVIDED,
                    EPOCH_ASSIGNED,
                    SPLITS_RETURNED,
                    ATTEMPT_LOST,
                    ATTEMPT_AGED,
                    FENCE_ANSWERED,
                    SPLIT_SUSPECTED,
                    ATTEMPT_ENDED,
                    CONSUMER_CAME,
                    CONSUMER_LEFT,
                    CONSUMER_SETTLED,
                    STUCK,
                    CONSUMER_LOST,
                    LOCAL_NEEDS,
                    WORKER_JOINED,
                    WORKER_CHANGED,
                    WORKER_DRAINING,
                    WORKER_LOST,
                    POOL_NEEDS,
                    STEP_LEFT_OUT,
                    STEP_DONE_AGAIN,
                    ORDER_WANTED,
                    STEPS_PROFILED,
                    VARIANT_VERIFIED,
                    ORDER_UNMEASURED,
                    ORDER_KNOWN,
                    VARIANT_FAILED,
                    VARIANT_RATED,
                    ATTEMPT_OUTDATED,
                    POINTS_PLANNED,
                    ENTRIES_STORED,
                    ORDER_SETTLED,
                    POINTS_PROFILED,
                    POINTS_UNMEASURED,
                    POINTS_DOUBTED,
                    CACHE_LOOKED,
                    ENTRY_BROKEN,
                    ENTRIES_RATED,
                    ENTRIES_PINNED,
                    ENTRIES_DROPPED,
                    STORES_DIVIDED -> Optional.empty();
        };
    }

    private static Terms terms(Numbers in, Map<String, String> texts) {
        return new Terms(
                goal(texts.getOrDefault("goal", "")),
                new Prices(in.real("clientPerHour"), in.real("remotePerHour"), in.real("egressPerGb")),
                new Limits(in.small("maxRemote"), in.small("maxLocal")),
                in.real("cap"));
    }

    private static Goal goal(String name) {
        for (Goal goal : Goal.values()) {
            if (goal.name().equals(name)) {
                return goal;
            }
        }
        throw new IllegalArgumentException("a termsSet has no goal '" + name + "'");
    }

    private static Observation.WindowClosed window(Numbers in, String subject, Instant at) {
        int consumer;
        try {
            consumer = Integer.parseInt(subject);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("a windowClosed has no consumer '" + subject + "'", none);
        }
        return new Observation.WindowClosed(
                at,
                consumer,
                in.whole("batches"),
                in.whole("elements"),
                in.wholeOr("bytes", 0),
                in.real("seconds"),
                in.real("waitShare"),
                in.real("queueDepth"),
                in.small("localTasks"),
                in.small("remoteTasks"),
                in.flag("straddles"));
    }

    /**
     * What a policy decided; the dispatcher's own commands are left out.
     *
     * @throws IllegalArgumentException naming what is missing or cannot be
     */
    public static List<Command> commands(List<Decided> decided) {
        List<Command> commands = new ArrayList<>();
        for (Decided one : decided) {
            if (one.getCommand().equals(JournalCommand.SCALE_TO.text())) {
                commands.add(new Command.ScaleTo(new Numbers(one.getCommand(), one.getNumbers()).target()));
            }
        }
        return commands;
    }

    /** How many workers were wanted last; empty where none of it says so, or a dispatcher of another version wrote it in another way. */
    public static Optional<Target> target(List<Decided> decided) {
        try {
            return commands(decided).stream()
                    .map(command -> command.match(Command.ScaleTo::workers))
                    .reduce((before, last) -> last);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private record Numbers(String kind, Map<String, Double> numbers) {
        double real(String name) {
            Double number = numbers.get(name);
            if (number == null) {
                throw new IllegalArgumentException("a " + kind + " has no " + name);
            }
            return number;
        }

        long whole(String name) {
            double number = real(name);
            if (number != Math.rint(number)) {
                throw new IllegalArgumentException(name + " of a " + kind + " must be whole, is " + number);
            }
            return (long) number;
        }

        /** Of what older journals do not have. */
        long wholeOr(String name, long otherwise) {
            return numbers.containsKey(name) ? whole(name) : otherwise;
        }

        int small(String name) {
            long number = whole(name);
            if (number != (int) number) {
                throw new IllegalArgumentException(name + " of a " + kind + " is too large: " + number);
            }
            return (int) number;
        }

        boolean flag(String name) {
            return real(name) > 0;
        }

        Target target() {
            return new Target(small("remote"), small("local"));
        }
    }
}
