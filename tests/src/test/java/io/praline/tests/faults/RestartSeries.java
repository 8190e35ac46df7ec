package io.praline.tests.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Kills a cluster in the middle of a job, starts it again some seconds later, and counts: how often it comes back and how
 * soon, and which elements of the job are missing or came twice. A cluster that does not come back is followed by a new one.
 *
 * <pre>
 *   java -cp ... io.praline.tests.faults.RestartSeries [rounds] [seed] [everything|broker|dispatcher|three-brokers|three-all ...]
 * </pre>
 */
public final class RestartSeries {
    private static final int LONGEST_WAIT_MILLIS = 15_000;
    private static final int SOONEST_KILL_MILLIS = 500;
    private static final int LATEST_KILL_MILLIS = 3_000;

    private RestartSeries() {}

    /**
     * Runs it; prints a line a round, and their sum.
     *
     * @param args how many rounds of each kind, the seed, and the kinds; without those all
     */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        Random random = new Random(args.length > 1 ? Long.parseLong(args[1]) : 1);
        List<Killing> kinds = args.length > 2
                ? Arrays.stream(args).skip(2).map(RestartSeries::kind).toList()
                : List.of(Killing.values());
        for (Killing kind : kinds) {
            print(kind, run(kind, rounds, random));
        }
        System.exit(0);
    }

    private static Killing kind(String name) {
        return Killing.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static List<Restart> run(Killing kind, int rounds, Random random) throws Exception {
        List<Restart> all = new ArrayList<>();
        KilledCluster cluster = start(kind);
        try {
            for (int round = 1; round <= rounds; round++) {
                Duration kill = Duration.ofMillis(random.nextInt(SOONEST_KILL_MILLIS, LATEST_KILL_MILLIS));
                Duration wait = Duration.ofMillis(random.nextInt(LONGEST_WAIT_MILLIS));
                Restart seen = cluster.round("round-" + round, kill, wait);
                System.out.println(kind + " " + seen);
                all.add(seen);
                if (!seen.sound()) {
                    cluster.close();
                    cluster = start(kind);
                }
            }
        } finally {
            cluster.close();
        }
        return all;
    }

    private static KilledCluster start(Killing kind) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(Path.of(System.getProperty("java.io.tmpdir")), "restart-");
        return KilledCluster.start(kind, folder);
    }

    private static void print(Killing kind, List<Restart> all) {
        System.out.printf(
                Locale.ROOT,
                "%s: %d rounds, back %d, missing %d, twice %d; ready after %.1f s (median), %.1f s (longest); batches again"
                        + " after %.1f s (median), %.1f s (longest)%n",
                kind,
                all.size(),
                all.stream().filter(Restart::sound).count(),
                all.stream().mapToLong(Restart::missing).sum(),
                all.stream().mapToLong(Restart::twice).sum(),
                median(all, Restart::ready),
                longest(all, Restart::ready),
                median(all, Restart::resumed),
                longest(all, Restart::resumed));
    }

    private static double median(List<Restart> all, java.util.function.Function<Restart, Duration> of) {
        double[] sorted = all.stream()
                .map(of)
                .mapToDouble(time -> time.toMillis() / 1e3)
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }

    private static double longest(List<Restart> all, java.util.function.Function<Restart, Duration> of) {
        return all.stream()
                .map(of)
                .mapToDouble(time -> time.toMillis() / 1e3)
                .max()
                .orElse(0);
    }
}
