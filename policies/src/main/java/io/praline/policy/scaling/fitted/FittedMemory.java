package io.praline.policy.scaling.fitted;

import io.praline.policy.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a {@link Search} keeps of a job between its turns, some dozens of numbers at most.
 *
 * @param progress of its search
 * @param remoteRates of remote workers, newest first, at most {@value #MOST_RATES}
 * @param localRates of one of so many local workers, newest first, at most {@value #MOST_RATES} for each of at most
 *     {@value #MOST_LOCALS} numbers
 * @param points that windows told of, newest first, at most {@value #MOST_POINTS}
 * @param restRates of workers, remote and local, as they were when it last came to rest
 */
record FittedMemory(
        Progress progress,
        List<Rate> remoteRates,
        SortedMap<Integer, List<Rate>> localRates,
        List<Point> points,
        List<Rate> restRates) {
    static final int MOST_RATES = 5;
    static final int MOST_LOCALS = 4;
    static final int MOST_POINTS = 5;

    /** By how much a corrected measurement is less sure, as a share. */
    private static final double RESCALED = 0.05;

    private static final String REMOTE = "remoteRate.";
    private static final String LOCAL = "localRate.";
    private static final String POINT = "point.";
    private static final String REST = "restRate.";

    /**
     * How far the search for good workers is.
     *
     * @param sinceMillis what was measured before tells nothing of the trainer any more
     * @param changes of the target since then
     * @param trials of those that were made to learn something
     * @param calm windows in a row in which nothing better was seen
     * @param shortWindows in a row with fewer workers than wanted
     */
    record Progress(long sinceMillis, int changes, int trials, int calm, int shortWindows) {
        static final Progress BEGIN = new Progress(0, 0, 0, 0, 0);

        /** Windows in a row in which nothing was worth a change, after which it holds what it has. */
        private static final int CALM = 4;

        boolean atRest() {
            return calm >= CALM;
        }

        Progress moved(boolean trial) {
            return new Progress(sinceMillis, changes + 1, trials + (trial ? 1 : 0), 0, shortWindows);
        }

        Progress calmer() {
            return new Progress(sinceMillis, changes, trials, calm + 1, shortWindows);
        }

        Progress shorter(int windows) {
            return new Progress(sinceMillis, changes, trials, calm, windows);
        }

        /** From then on, all is open again. */
        Progress reopened(long millis) {
            return new Progress(millis, 0, 0, 0, shortWindows);
        }
    }

    /**
     * What a worker makes by its own clock: the newest that it told. One that it corrects is no second voice.
     *
     * @param worker the worker's id
     * @param elementsPerSecond above 0
     */
    record Rate(String worker, double elementsPerSecond) {
        private Rate times(double factor) {
            return new Rate(worker, elementsPerSecond * factor);
        }
    }

    /**
     * What windows with the same workers told.
     *
     * @param tasks that served them
     * @param rate elements/s that came, median
     * @param trainerRate elements/s for each second in which the trainer did not wait, median
     * @param waitShare median
     * @param error standard deviation of the rate, as a share
     */
    record Point(Target tasks, double rate, double trainerRate, double waitShare, double error) {
        /** The workers were too slow for the trainer: the rate is what they can make. */
        boolean starved() {
            return waitShare > RateModel.STARVED;
        }

        private Point scaled(double workers, double trainer) {
            return new Point(
                    tasks, rate * workers, trainerRate * trainer, waitShare, StrictMath.hypot(error, RESCALED));
        }
    }

    static final FittedMemory NOTHING =
            new FittedMemory(Progress.BEGIN, List.of(), new TreeMap<>(), List.of(), List.of());

    FittedMemory {
        remoteRates = List.copyOf(remoteRates);
        localRates = Collections.unmodifiableSortedMap(localRates);
        points = List.copyOf(points);
        restRates = List.copyOf(restRates);
    }

    FittedMemory with(Progress other) {
        return new FittedMemory(other, remoteRates, localRates, points, restRates);
    }

    FittedMemory with(List<Point> other) {
        return new FittedMemory(progress, remoteRates, localRates, other, restRates);
    }

    /** Those of other workers stay, as long as there is room. */
    FittedMemory with(Point point) {
        List<Point> next = new ArrayList<>();
        next.add(point);
        for (Point other : points) {
            if (!other.tasks().equals(point.tasks()) && next.size() < MOST_POINTS) {
                next.add(other);
            }
        }
        return with(next);
    }

    FittedMemory withRemote(Rate rate) {
        return new FittedMemory(progress, newest(rate, remoteRates), localRates, points, restRates);
    }

    /** Where there is no room for another number of local workers, the one farthest from it goes. */
    FittedMemory withLocal(int beside, Rate rate) {
        SortedMap<Integer, List<Rate>> next = new TreeMap<>(localRates);
        next.put(beside, newest(rate, next.getOrDefault(beside, List.of())));
        if (next.size() > MOST_LOCALS) {
            boolean first = beside - next.firstKey() >= next.lastKey() - beside;
            next.remove(first ? next.firstKey() : next.lastKey());
        }
        return new FittedMemory(progress, remoteRates, next, points, restRates);
    }

    private static List<Rate> newest(Rate rate, List<Rate> others) {
        return Stream.concat(Stream.of(rate), others.stream().filter(other -> !other.worker()
                        .equals(rate.worker())))
                .limit(MOST_RATES)
                .toList();
    }

    /** What the newest clocks tell of workers that are remote, or local among so many. */
    List<Rate> told(int local) {
        return Stream.concat(remoteRates.stream(), localRates.getOrDefault(local, List.of()).stream())
                .toList();
    }

    /** It has come to rest with so many local workers. */
    FittedMemory resting(int local) {
        return new FittedMemory(progress, remoteRates, localRates, points, told(local));
    }

    /** Every worker makes so many times as much as it did, and the trainer takes so many times as much. */
    FittedMemory scaled(double workers, double trainer) {
        SortedMap<Integer, List<Rate>> next = new TreeMap<>();
        localRates.forEach((beside, rates) -> next.put(beside, times(rates, workers)));
        List<Point> moved =
                points.stream().map(point -> point.scaled(workers, trainer)).toList();
        return new FittedMemory(progress, times(remoteRates, workers), next, moved, times(restRates, workers));
    }

    private static List<Rate> times(List<Rate> rates, double factor) {
        return rates.stream().map(rate -> rate.times(factor)).toList();
    }

    SortedMap<String, Double> write() {
        SortedMap<String, Double> numbers = new TreeMap<>();
        numbers.put("sinceMillis", (double) progress.sinceMillis());
        numbers.put("changes", (double) progress.changes());
        numbers.put("trials", (double) progress.trials());
        numbers.put("calm", (double) progress.calm());
        numbers.put("shortWindows", (double) progress.shortWindows());
        write(REMOTE, remoteRates, numbers);
        write(REST, restRates, numbers);
        localRates.forEach((beside, rates) -> write(LOCAL + beside + ".", rates, numbers));
        for (int i = 0; i < points.size(); i++) {
            Point point = points.get(i);
            String name = POINT + i + ".";
            numbers.put(name + "remote", (double) point.tasks().remote());
            numbers.put(name + "local", (double) point.tasks().local());
            numbers.put(name + "rate", point.rate());
            numbers.put(name + "trainerRate", point.trainerRate());
            numbers.put(name + "waitShare", point.waitShare());
            numbers.put(name + "error", point.error());
        }
        return numbers;
    }

    /** By place, then by the worker's name. */
    private static void write(String name, List<Rate> rates, SortedMap<String, Double> numbers) {
        for (int i = 0; i < rates.size(); i++) {
            numbers.put(name + i + "." + rates.get(i).worker(), rates.get(i).elementsPerSecond());
        }
    }

    /** What {@link #write} wrote; nothing where another policy wrote it. */
    static FittedMemory read(SortedMap<String, Double> numbers) {
        if (!numbers.containsKey("sinceMillis")) {
            return NOTHING;
        }
        Progress progress = new Progress(
                numbers.get("sinceMillis").longValue(),
                numbers.get("changes").intValue(),
                numbers.get("trials").intValue(),
                numbers.get("calm").intValue(),
                numbers.get("shortWindows").intValue());
        List<Rate> remote = new ArrayList<>();
        numbers.subMap(REMOTE, after(REMOTE)).forEach((name, rate) -> remote.add(rate(name, REMOTE.length(), rate)));
        SortedMap<Integer, List<Rate>> local = new TreeMap<>();
        numbers.subMap(LOCAL, after(LOCAL)).forEach((name, rate) -> {
            int dot = name.indexOf('.', LOCAL.length());
            int beside = Integer.parseInt(name, LOCAL.length(), dot, 10);
            local.computeIfAbsent(beside, none -> new ArrayList<>()).add(rate(name, dot + 1, rate));
        });
        List<Point> points = new ArrayList<>();
        for (int i = 0; numbers.containsKey(POINT + i + ".rate"); i++) {
            String name = POINT + i + ".";
            Target tasks = new Target(
                    numbers.get(name + "remote").intValue(),
                    numbers.get(name + "local").intValue());
            points.add(new Point(
                    tasks,
                    numbers.get(name + "rate"),
                    numbers.get(name + "trainerRate"),
                    numbers.get(name + "waitShare"),
                    numbers.get(name + "error")));
        }
        List<Rate> rest = new ArrayList<>();
        numbers.subMap(REST, after(REST)).forEach((name, rate) -> rest.add(rate(name, REST.length(), rate)));
        return new FittedMemory(progress, remote, local, points, rest);
    }

    /** Its place begins there in the name; of what an older version wrote the worker is not known. */
    private static Rate rate(String name, int place, double elementsPerSecond) {
        int dot = name.indexOf('.', place);
        return new Rate(dot < 0 ? "" : name.substring(dot + 1), elementsPerSecond);
    }

    private static String after(String prefix) {
        return prefix + Character.MAX_VALUE;
    }
}
