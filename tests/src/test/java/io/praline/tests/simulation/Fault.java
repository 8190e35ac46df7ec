package io.praline.tests.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Something that goes wrong, or somebody who comes or goes.
 *
 * @param atMillis since the job was submitted
 * @param who number of the worker, of the consumer, or of the topic
 * @param other number of the other one, where it is about two
 * @param millis how long it lasts, or by how much
 */
record Fault(Kind kind, long atMillis, int who, int other, long millis) {
    /** What there is. */
    enum Kind {
        /** A worker dies; another of its name starts after a while. */
        KILL_WORKER(12),
        /** A worker is stopped, and goes on. */
        STOP_WORKER(10),
        /** A worker does not reach Kafka. */
        CUT_WORKER(8),
        /** A client and a worker do not reach each other. */
        CUT_CHANNEL(8),
        /** The connections of a client and a worker break. */
        RESET(8),
        /** A trainer dies; it is started again after a while, and may say that the one before is dead. */
        KILL_TRAINER(8),
        /** A trainer is stopped, and goes on. */
        STOP_TRAINER(8),
        /** A trainer is stopped, another comes into its place, the first goes on. */
        REPLACE_TRAINER(6),
        /** A trainer is stopped for so long that its successor is given what it had. */
        SUPERSEDE_TRAINER(4),
        /** A trainer does not reach Kafka. */
        CUT_TRAINER(6),
        /** A loop does not ask for so long. */
        HANG(4),
        /** A trainer leaves the job, and another takes its place later. */
        LEAVE(6),
        /** Another trainer comes in addition. */
        JOIN(3),
        /** The dispatcher dies; another one takes over after a while. */
        KILL_DISPATCHER(8),
        /** The partition goes to another dispatcher in order. */
        HAND_OVER(5),
        /** The dispatcher is stopped, and goes on before it is given up. */
        STOP_DISPATCHER(4),
        /** The next record of a topic is lost. */
        LOSE(14),
        /** The next record of a topic comes twice. */
        TWICE(6),
        /** A topic is read late. */
        LAG(6),
        /** What is no record comes on a topic. */
        POISON(3),
        /** The clock of a trainer's or a worker's host is set. */
        CLOCK(4),
        /** The clock of the broker that leads a topic is set. */
        BROKER_CLOCK(3),
        /** Kafka does not answer. */
        KAFKA_AWAY(3),
        /** A worker leaves in order; another of its name starts after a while. */
        DRAIN_WORKER(10, Since.REQUESTS),
        /** A job is paused, and goes on. */
        PAUSE(8, Since.REQUESTS),
        /** The number of a job's workers is fixed, and left to its policy again. */
        PIN(8, Since.REQUESTS),
        /** Nobody waits for a consumer any more. */
        GIVE_UP(12, Since.REQUESTS),
        /** A job is cancelled. */
        CANCEL(1, Since.REQUESTS),
        /** An entry loses its end. */
        SPOIL(12, Since.ENTRIES),
        /** The next request is lost: for a job, for a place in it, or about it. */
        LOSE_REQUEST(10, Since.MANNERS),
        /** The next records of a topic are lost, as where its log lost its end. */
        LOSE_SOME(10, Since.MANNERS),
        /** A trainer leaves and does not know what its loop has done. */
        LEAVE_UNSURE(6, Since.MANNERS),
        /** Kafka finds the next beats of a worker too large. */
        LARGE_BEATS(6, Since.MANNERS),
        /** A trainer is stopped between hearing that a batch is there and taking it, and goes on when its lease is over. */
        DOZE(16, Since.COURSES),
        /** What TensorFlow does just now on a worker comes to no end, also where it is told to, for a while. */
        STICK(6, Since.COURSES),
        /** A dispatcher dies, and of how far it had read the end is lost: the next one reads some records again. */
        REREAD(8, Since.COURSES),
        /** All that train on a job go, and nobody comes any more. */
        ABANDON(2, Since.COURSES);

        private final int weight;
        private final Since since;

        Kind(int weight) {
            this(weight, Since.THE_FIRST);
        }

        Kind(int weight, Since since) {
            this.weight = weight;
            this.since = since;
        }
    }

    /** Schedules keep their numbers: what came later is drawn only where it is asked for. */
    private enum Since {
        THE_FIRST,
        REQUESTS,
        ENTRIES,
        MANNERS,
        COURSES
    }

    /** Behind this nothing more goes wrong. */
    static final long LAST_MILLIS = 60_000;

    private static final int MOST_OF_FEW = 5;

    private static final List<Kind> FIRST = Stream.of(Kind.values())
            .filter(kind -> kind.since == Since.THE_FIRST)
            .toList();

    private static final List<Kind> WITH_REQUESTS = Stream.of(Kind.values())
            .filter(kind -> kind.since == Since.THE_FIRST || kind.since == Since.REQUESTS)
            .toList();

    private static final List<Kind> WITH_ENTRIES = Stream.of(Kind.values())
            .filter(kind -> kind.since.compareTo(Since.MANNERS) < 0)
            .toList();

    private static final List<Kind> WITHOUT_ENTRIES = Stream.of(Kind.values())
            .filter(kind -> kind.since != Since.ENTRIES && kind.since != Since.COURSES)
            .toList();

    private static final List<Kind> WITH_COURSES =
            Stream.of(Kind.values()).filter(kind -> kind.since != Since.ENTRIES).toList();

    /** So many, in the order of their time. */
    static List<Fault> random(Random random, int count, long untilMillis) {
        return random(random, count, untilMillis, FIRST, Fault::millis);
    }

    /** So many of all kinds that may happen to any job, in the order of their time. */
    static List<Fault> randomOfAll(Random random, int count, long untilMillis) {
        return random(random, count, untilMillis, WITH_REQUESTS, Fault::millis);
    }

    /** So many, also of those that happen to entries, in the order of their time. */
    static List<Fault> randomWithEntries(Random random, int count, long untilMillis) {
        return random(random, count, untilMillis, WITH_ENTRIES, Fault::millis);
    }

    /** So many of all kinds that are about no entries, in the order of their time. */
    static List<Fault> randomOfMost(Random random, int count, long untilMillis) {
        return random(random, count, untilMillis, WITHOUT_ENTRIES, Fault::millis);
    }

    /** So many of those, and of all kinds that came later, in the order of their time. */
    static List<Fault> randomOfWhole(Random random, int count, long untilMillis) {
        return random(random, count, untilMillis, WITH_COURSES, Fault::millisOrLonger);
    }

    /** The same, of a few of all kinds: what two of them do to each other is hidden by a third. */
    static List<Fault> randomOfFew(Random random, int count, long untilMillis) {
        List<Kind> kinds = new ArrayList<>(WITH_COURSES);
        Collections.shuffle(kinds, random);
        List<Kind> few = List.copyOf(kinds.subList(0, 1 + random.nextInt(MOST_OF_FEW)));
        return random(random, count, untilMillis, few, Fault::millisOrLonger);
    }

    private static List<Fault> random(
            Random random, int count, long untilMillis, List<Kind> kinds, ToLongFunction<Random> millis) {
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            faults.add(new Fault(
                    kind(random, kinds),
                    (long) (random.nextDouble() * untilMillis),
                    random.nextInt(6),
                    random.nextInt(6),
                    millis.applyAsLong(random)));
        }
        faults.sort(Comparator.comparingLong(Fault::atMillis));
        return faults;
    }

    private static Kind kind(Random random, List<Kind> kinds) {
        int at = random.nextInt(kinds.stream().mapToInt(kind -> kind.weight).sum());
        for (Kind kind : kinds) {
            at -= kind.weight;
            if (at < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("weights do not add up");
    }

    /** From a tenth of a second to a minute and a half, the short ones as often as the long ones. */
    private static long millis(Random random) {
        return (long) (100 * Math.pow(900, random.nextDouble()));
    }

    /** The same, but every fourth lasts longer than a silent consumer is waited for. */
    private static long millisOrLonger(Random random) {
        return random.nextInt(4) == 0 ? 60_000 + random.nextInt(30_000) : millis(random);
    }

    /** As it stands in a test. */
    String java() {
        return "new Fault(Fault.Kind." + kind + ", " + atMillis + ", " + who + ", " + other + ", " + millis + ")";
    }
}
