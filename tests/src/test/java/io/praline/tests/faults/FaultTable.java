package io.praline.tests.faults;

import io.praline.deploy.chaos.ChaosRun;
import io.praline.deploy.chaos.Fault;
import io.praline.deploy.chaos.RunResult;
import io.praline.deploy.chaos.Schedule;
import io.praline.deploy.chaos.Target;
import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.Shape;
import io.praline.deploy.cli.Praline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The faults that every release is measured by, one after the other with real processes, each on a job of its own: what went
 * missing, what came twice, and how long the loop waited at most.
 *
 * <pre>
 *   java -cp ... io.praline.tests.faults.FaultTable [rounds] [words of a row's name ...]
 * </pre>
 */
public final class FaultTable {
    private static final Target WORKER = new Target(Target.Role.WORKER, 0);
    private static final Target CLIENT = new Target(Target.Role.CLIENT, 0);
    private static final Target BROKER = new Target(Target.Role.BROKER, 0);
    private static final Target ONE_OF_THREE = new Target(Target.Role.CLIENT, 1);
    private static final Duration AWAY = Duration.ofSeconds(40);
    private static final Duration DEAD = Duration.ofSeconds(2);
    private static final int BATCH = 20;
    private static final Duration STEP = Duration.ofMillis(20);
    private static final long RECORDS = 20_000;
    private static final long KILL = 6_000;

    /** Three integers of each of the 2,400 photographs, in batches of 32, as the recorded graph makes them. */
    private static final JobPlan FLAT_MAP = new JobPlan(Shape.FLAT_MAP, 2_400, 3, 1, 32, 5, STEP);

    private FaultTable() {}

    /**
     * Runs them; prints a line each.
     *
     * @param args how often each, and words of which one must be in a row's name; without those all
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        List<String> words = Arrays.stream(args).skip(1).toList();
        Path folder = Files.createTempDirectory("faults-");
        for (Map.Entry<String, Schedule> row : rows().entrySet()) {
            if (words.isEmpty() || words.stream().anyMatch(row.getKey()::contains)) {
                for (int round = 0; round < rounds; round++) {
                    RunResult result =
                            run(row.getValue(), folder, row.getKey().replaceAll("[^A-Za-z0-9_]+", "-") + "-" + round);
                    System.out.printf(
                            Locale.ROOT,
                            "%s: %s, %d missing, %d twice, %d possibly twice, longest wait %d ms %s%n",
                            row.getKey(),
                            result.well() ? "well" : "FAILED",
                            result.missing(),
                            result.duplicates(),
                            result.possiblyTwice(),
                            result.longestGapMs(),
                            result.failures().isEmpty() ? "" : result.failures());
                }
            }
        }
        System.exit(0);
    }

    private static RunResult run(Schedule schedule, Path folder, String name) throws InterruptedException {
        // others may wait for what a trainer has that is stopped for so long
        Duration longest = schedule.faults().stream().map(Fault::lasts).reduce(Duration.ZERO, FaultTable::longer);
        return ChaosRun.of(
                schedule,
                new ChaosRun.Settings(
                        folder.resolve(name),
                        folder.resolve("images"),
                        Praline.class,
                        Duration.ofMinutes(2).plus(longest),
                        Duration.ofMinutes(6),
                        name),
                line -> {});
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Map<String, Schedule> rows() {
        Map<String, Schedule> rows = new LinkedHashMap<>();
        for (Shape shape : List.of(Shape.PLAIN, Shape.SHUFFLE, Shape.FILTER, Shape.FLAT_MAP)) {
            rows.put(
                    "worker killed, " + shape.name().toLowerCase(Locale.ROOT),
                    schedule(1, job(shape), fault(KILL, Fault.Kind.KILL, DEAD, WORKER)));
        }
        Target dispatcher = new Target(Target.Role.DISPATCHER, 0);
        rows.put("dispatcher killed", schedule(1, plain(1), fault(KILL, Fault.Kind.KILL, DEAD, dispatcher)));
        rows.put(
                "dispatcher stopped for 60 s",
                schedule(1, plain(2), fault(KILL, Fault.Kind.STOP, Duration.ofSeconds(60), dispatcher)));
        rows.put(
                "broker stopped for 30 s",
                schedule(1, plain(2), fault(KILL, Fault.Kind.STOP, Duration.ofSeconds(30), BROKER)));
        // below and above the lease, the silence of a consumer, and the time in which the others have done all the rest
        for (int seconds : new int[] {45, 75, 150}) {
            Duration hangs = Duration.ofSeconds(seconds);
            rows.put(
                    "one of three clients stopped for " + seconds + " s",
                    schedule(1, shared(), fault(KILL, Fault.Kind.STOP, hangs, ONE_OF_THREE)));
            rows.put(
                    "one of three clients stopped for " + seconds + " s, its place taken at once",
                    schedule(1, shared(), fault(KILL, Fault.Kind.REPLACE, hangs, ONE_OF_THREE)));
        }
        rows.put("worker stopped for 40 s", schedule(1, plain(2), fault(KILL, Fault.Kind.STOP, AWAY, WORKER)));
        rows.put("client stopped for 40 s", schedule(1, plain(1), fault(KILL, Fault.Kind.STOP, AWAY, CLIENT)));
        rows.put("worker cut off from Kafka", schedule(1, plain(2), fault(KILL, Fault.Kind.CUT, AWAY, WORKER, BROKER)));
        rows.put("client cut off from Kafka", schedule(1, plain(1), fault(KILL, Fault.Kind.CUT, AWAY, CLIENT, BROKER)));
        rows.put(
                "client cut off from a worker",
                schedule(1, plain(2), fault(KILL, Fault.Kind.CUT, AWAY, CLIENT, WORKER)));
        rows.put(
                "two dispatchers, one after the other killed, ten times",
                schedule(
                        2,
                        plain(4),
                        IntStream.range(0, 10)
                                .mapToObj(death -> fault(
                                        KILL + 5_000L * death,
                                        Fault.Kind.KILL,
                                        DEAD,
                                        new Target(Target.Role.DISPATCHER, death % 2)))
                                .toArray(Fault[]::new)));
        return rows;
    }

    private static JobPlan job(Shape shape) {
        return shape == Shape.FLAT_MAP ? FLAT_MAP : new JobPlan(shape, RECORDS, 1, 1, BATCH, 5, STEP);
    }

    /** So many times 20,000 integers, 20 s each undisturbed. */
    private static JobPlan plain(int times) {
        return new JobPlan(Shape.PLAIN, times * RECORDS, 1, 1, BATCH, 5, STEP);
    }

    /** 90,000 integers that three trainers share, 30 s undisturbed. */
    private static JobPlan shared() {
        return new JobPlan(Shape.PLAIN, 90_000, 1, 3, BATCH, 5, STEP);
    }

    private static Fault fault(long at, Fault.Kind kind, Duration lasts, Target... targets) {
        return new Fault(at, kind, List.of(targets), lasts);
    }

    private static Schedule schedule(int dispatchers, JobPlan job, Fault... faults) {
        return new Schedule(1, dispatchers, 2, List.of(job), new ArrayList<>(List.of(faults)));
    }
}
