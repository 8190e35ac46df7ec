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
 */
record Schedule(long seed, int workers, int consumers, List<Fault> faults) {
    Schedule {
        faults = List.copyOf(faults);
    }

    /** The schedule of a number, of so many faults at most. */
    static Schedule of(long number, int leastFaults, int mostFaults) {
        Random random = new Random(number * 0x9E3779B97F4A7C15L + 1);
        int count = leastFaults + random.nextInt(mostFaults - leastFaults + 1);
        int workers = 1 + random.nextInt(3);
        int consumers = 1 + random.nextInt(3);
        return new Schedule(number, workers, consumers, Fault.random(random, count, Fault.LAST_MILLIS));
    }

    Schedule with(List<Fault> fewer) {
        return new Schedule(seed, workers, consumers, fewer);
    }

    /** As it stands in a test. */
    String java() {
        return "new Schedule(" + seed + "L, " + workers + ", " + consumers + ", List.of("
                + faults.stream().map(Fault::java).collect(Collectors.joining(",\n        ", "\n        ", "")) + "))";
    }
}
