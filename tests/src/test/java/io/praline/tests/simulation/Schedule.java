package io.praline.tests.simulation;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * What one run of the simulation is made of, all of it: the same schedule gives the same run.
 *
 * @param seed of all that is drawn: the data, the pipeline, how late things come
 * @param workers how many there are
 * @param consumers that the job is submitted with
 * @param faults in the order of their time
 * @param scene what there is besides
 */
record Schedule(long seed, int workers, int consumers, List<Fault> faults, Scene scene) {
    Schedule {
        faults = List.copyOf(faults);
    }

    /** One job, of which nothing is asked but that it runs. */
    Schedule(long seed, int workers, int consumers, List<Fault> faults) {
        this(seed, workers, consumers, faults, Scene.PLAIN);
    }

    /**
     * What there is beside one job in one order.
     *
     * @param second whether another job shares the workers
     * @param reorders whether the steps of jobs are measured, and found to be better in another order
     * @param deadly whether there is a record that ends the process of whoever reads it
     * @param uncertain whether who sends may hear late, or wrongly, what became of a record
     * @param untracked whether elements carry no tickets: then they may come again, and none may be missing
     * @param extent how far the data and the cluster go
     * @param manner how the data is read, taken and written down
     * @param course how long a job waits, and how its dispatcher writes
     */
    record Scene(
            boolean second,
            boolean reorders,
            boolean deadly,
            boolean uncertain,
            boolean untracked,
            Extent extent,
            Manner manner,
            Course course) {
        static final Scene PLAIN = new Scene(false, false, false, false, false);

        Scene(boolean second, boolean reorders, boolean deadly, boolean uncertain, boolean untracked) {
            this(second, reorders, deadly, uncertain, untracked, Extent.USUAL);
        }

        Scene(boolean second, boolean reorders, boolean deadly, boolean uncertain, boolean untracked, Extent extent) {
            this(second, reorders, deadly, uncertain, untracked, extent, Manner.USUAL);
        }

        Scene(
                boolean second,
                boolean reorders,
                boolean deadly,
                boolean uncertain,
                boolean untracked,
                Extent extent,
                Manner manner) {
            this(second, reorders, deadly, uncertain, untracked, extent, manner, Course.USUAL);
        }

        /** One job of another extent. */
        static Scene of(Extent extent) {
            return new Scene(extent.pools() != Pools.ONE, false, false, false, false, extent);
        }

        /** One job that is done in another manner. */
        static Scene of(Manner manner) {
            return new Scene(false, false, false, false, false, Extent.USUAL, manner);
        }

        /** One job that takes another course. */
        static Scene of(Course course) {
            return new Scene(false, false, false, false, false, Extent.USUAL, Manner.USUAL, course);
        }

        /** As it stands in a test. */
        String java() {
            boolean usual = course.equals(Course.USUAL);
            return "new Schedule.Scene(" + second + ", " + reorders + ", " + deadly + ", " + uncertain + ", "
                    + untracked
                    + (extent.equals(Extent.USUAL) && manner.equals(Manner.USUAL) && usual ? "" : ", " + extent.java())
                    + (manner.equals(Manner.USUAL) && usual ? "" : ", " + manner.java())
                    + (usual ? "" : ", " + course.java()) + ")";
        }
    }

    /**
     * How far the data and the cluster go.
     *
     * @param bad records that fail whoever processes them
     * @param untolerated how many of them are more than jobs tolerate, over all epochs
     * @param epochs how often the data is visited, which is small then; 0: as often as the seed says
     * @param entries which stores keep elements
     * @param pools where the second job is
     */
    record Extent(int bad, int untolerated, int epochs, Entries entries, Pools pools) {
        static final Extent USUAL = new Extent(0, 0, 0, Entries.NONE, Pools.ONE);

        String java() {
            return "new Schedule.Extent(" + bad + ", " + untolerated + ", " + epochs + ", Schedule.Entries." + entries
                    + ", Schedule.Pools." + pools + ")";
        }
    }

    /**
     * How the data is read, taken and written down.
     *
     * @param counts when it is known how many records a split has
     * @param packed whether the pipeline yields single elements, of which several come in a frame
     * @param manual whether loops say by themselves what they are done with, late and in any order
     * @param pieces whether a report holds no more than what is new of a batch
     * @param single whether one task only may read at a time
     * @param slow whether loops take their time between hearing that a batch is there and asking for it
     * @param forgetful whether a turn throws now and then, behind which the dispatcher knows what its rows tell
     */
    record Manner(
            Counts counts,
            boolean packed,
            boolean manual,
            boolean pieces,
            boolean single,
            boolean slow,
            boolean forgetful) {
        static final Manner USUAL = new Manner(Counts.PLANNED, false, false, false, false, false, false);

        String java() {
            return "new Schedule.Manner(Schedule.Counts." + counts + ", " + packed + ", " + manual + ", " + pieces
                    + ", " + single + ", " + slow + ", " + forgetful + ")";
        }
    }

    /**
     * How long a job waits, and how its dispatcher writes.
     *
     * @param patience seconds for which a job waits for a consumer, and those who went come back late; 0: as usual
     * @param paged whether a status is told in several records
     * @param grouped whether a commit waits for what follows the one before
     * @param weight of the second job, of which the first has 1
     * @param lossy whether some of all records are lost, and others come twice
     */
    record Course(int patience, boolean paged, boolean grouped, int weight, boolean lossy) {
        static final Course USUAL = new Course(0, false, false, 1, false);

        String java() {
            return "new Schedule.Course(" + patience + ", " + paged + ", " + grouped + ", " + weight + ", " + lossy
                    + ")";
        }
    }

    /** When it is known how many records splits have. */
    enum Counts {
        /** The plan says it. */
        PLANNED,
        /** Workers count them while they read, some time after they were told of them. */
        BESIDE,
        /** They are numbered as they come out: whoever read one to its end knows. */
        AT_THE_END
    }

    /** Which stores there are. */
    enum Entries {
        NONE,
        /** Each worker has one of its own, which the next process of its name finds again. */
        OF_EACH,
        /** All workers of a pool share one. */
        SHARED
    }

    /** In how many pools jobs are. */
    enum Pools {
        ONE,
        /** Two in one partition. */
        TWO,
        /** Each in a partition of its own, and two dispatchers. */
        TWO_PARTITIONS
    }

    /** The schedule of a number, of so many faults at most. */
    static Schedule of(long number, int leastFaults, int mostFaults) {
        Random random = new Random(number * 0x9E3779B97F4A7C15L + 1);
        int count = leastFaults + random.nextInt(mostFaults - leastFaults + 1);
        int workers = 1 + random.nextInt(3);
        int consumers = 1 + random.nextInt(3);
        return new Schedule(number, workers, consumers, Fault.random(random, count, Fault.LAST_MILLIS));
    }

    /** The schedule of a number in which everything that is known may happen. */
    static Schedule ofAll(long number, int leastFaults, int mostFaults) {
        Random random = new Random(number * 0x9E3779B97F4A7C15L + 2);
        int count = leastFaults + random.nextInt(mostFaults - leastFaults + 1);
        int workers = 1 + random.nextInt(3);
        int consumers = 1 + random.nextInt(3);
        boolean second = random.nextInt(2) == 0;
        boolean reorders = random.nextInt(2) == 0;
        boolean deadly = random.nextInt(4) == 0;
        boolean uncertain = random.nextInt(2) == 0;
        boolean untracked = !deadly && random.nextInt(4) == 0;
        Scene scene = new Scene(second, reorders, deadly, uncertain, untracked);
        return new Schedule(number, workers, consumers, Fault.randomOfAll(random, count, Fault.LAST_MILLIS), scene);
    }

    /** The schedule of a number in which data and cluster go further. */
    static Schedule ofMore(long number, int leastFaults, int mostFaults) {
        Random random = new Random(number * 0x9E3779B97F4A7C15L + 3);
        int count = leastFaults + random.nextInt(mostFaults - leastFaults + 1);
        int workers = 1 + random.nextInt(3);
        int consumers = 1 + random.nextInt(3);
        boolean deadly = random.nextInt(8) == 0;
        boolean untracked = !deadly && random.nextInt(8) == 0;
        int bad = !untracked && random.nextInt(2) == 0 ? 1 + random.nextInt(5) : 0;
        int untolerated = bad > 0 && !deadly && random.nextInt(4) == 0 ? 1 + random.nextInt(bad) : 0;
        int epochs = !deadly && random.nextInt(3) == 0 ? 10 + random.nextInt(30) : 0;
        Entries entries = untracked ? Entries.NONE : Entries.values()[random.nextInt(3)];
        Pools pools = Pools.values()[random.nextInt(3)];
        boolean second = pools != Pools.ONE || random.nextInt(2) == 0;
        boolean reorders = random.nextInt(4) == 0;
        boolean uncertain = random.nextInt(2) == 0;
        Extent extent = new Extent(bad, untolerated, epochs, entries, pools);
        Scene scene = new Scene(second, reorders, deadly, uncertain, untracked, extent);
        List<Fault> faults = entries == Entries.NONE
                ? Fault.randomOfAll(random, count, Fault.LAST_MILLIS)
                : Fault.randomWithEntries(random, count, Fault.LAST_MILLIS);
        return new Schedule(number, workers, consumers, faults, scene);
    }

    /** The schedule of a number in which all is drawn: the data, the cluster, and the manner in which all is done. */
    static Schedule ofMost(long number, int leastFaults, int mostFaults) {
        Random random = new Random(number * 0x9E3779B97F4A7C15L + 4);
        int count = leastFaults + random.nextInt(mostFaults - leastFaults + 1);
        int workers = 1 + random.nextInt(3);
        int consumers = 1 + random.nextInt(3);
        Counts counts = Counts.values()[random.nextInt(3)];
        boolean deadly = counts != Counts.AT_THE_END && random.nextInt(8) == 0;
        boolean untracked = counts == Counts.PLANNED && !deadly && random.nextInt(6) == 0;
        int epochs = !deadly && random.nextInt(6) == 0 ? 5 + random.nextInt(10) : 0;
        Pools pools = Pools.values()[random.nextInt(3)];
        boolean second = pools != Pools.ONE || random.nextInt(2) == 0;
        boolean reorders = !untracked && random.nextInt(6) == 0;
        boolean uncertain = random.nextInt(2) == 0;
        boolean single = !deadly && random.nextInt(6) == 0;
        Manner manner = new Manner(
                counts,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0,
                single,
                random.nextInt(2) == 0,
                random.nextInt(3) == 0);
        Extent extent = new Extent(0, 0, epochs, Entries.NONE, pools);
        Scene scene = new Scene(second, reorders, deadly, uncertain, untracked, extent, manner);
        return new Schedule(number, workers, consumers, Fault.randomOfMost(random, count, Fault.LAST_MILLIS), scene);
    }

    /** The schedule of a number in which also that is drawn how long who waits, what stands still and what is read again. */
    static Schedule ofWhole(long number, int leastFaults, int mostFaults) {
        Random random = new Random(number * 0x9E3779B97F4A7C15L + 5);
        int count = leastFaults + random.nextInt(mostFaults - leastFaults + 1);
        int workers = 1 + random.nextInt(3);
        int consumers = 1 + random.nextInt(3);
        Counts counts = Counts.values()[random.nextInt(3)];
        boolean untracked = counts == Counts.PLANNED && random.nextInt(8) == 0;
        int epochs = random.nextInt(4) == 0 ? 5 + random.nextInt(10) : 0;
        Pools pools = Pools.values()[random.nextInt(3)];
        boolean second = pools != Pools.ONE || random.nextInt(2) == 0;
        Manner manner = new Manner(
                counts,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0,
                random.nextInt(8) == 0,
                random.nextInt(2) == 0,
                random.nextInt(4) == 0);
        Course course = new Course(
                random.nextInt(2) == 0 ? 0 : 10 + random.nextInt(50),
                random.nextInt(2) == 0,
                random.nextInt(2) == 0,
                1 + random.nextInt(4),
                random.nextInt(4) == 0);
        Extent extent = new Extent(0, 0, epochs, Entries.NONE, pools);
        Scene scene = new Scene(second, false, false, random.nextInt(2) == 0, untracked, extent, manner, course);
        // most jobs are read to their ends within half a minute
        long until = random.nextBoolean() ? Fault.LAST_MILLIS : Fault.LAST_MILLIS / 4;
        List<Fault> faults = random.nextBoolean()
                ? Fault.randomOfWhole(random, count, until)
                : Fault.randomOfFew(random, count, until);
        return new Schedule(number, workers, consumers, faults, scene);
    }

    Schedule with(List<Fault> fewer) {
        return new Schedule(seed, workers, consumers, fewer, scene);
    }

    /** As it stands in a test. */
    String java() {
        return "new Schedule(" + seed + "L, " + workers + ", " + consumers + ", List.of("
                + faults.stream().map(Fault::java).collect(Collectors.joining(",\n        ", "\n        ", "")) + ")"
                + (scene.equals(Scene.PLAIN) ? "" : ", " + scene.java()) + ")";
    }
}
