package io.praline.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Schedules of at least twenty faults, as many as {@code -Dsimulation.schedules} says, from {@code -Dsimulation.first} on. What comes of them is appended to
 * {@code target/simulation-results.tsv}, behind whose last line a later run goes on.
 */
@Tag("faults")
class ManySchedulesTest {
    private static final Path RESULTS = Path.of("target", "simulation-results.tsv");
    private static final int LEAST_FAULTS = 20;
    private static final int MOST_FAULTS = 40;
    private static final int A_LINE = 100;

    @Test
    @Timeout(value = 24, unit = TimeUnit.HOURS)
    void allOfThemHold() throws IOException {
        long first = Long.getLong("simulation.first", 0);
        long schedules = first + Long.getLong("simulation.schedules", 100_000);
        for (long number = Math.max(first, done()); number < schedules; number += A_LINE) {
            append(line(number));
        }
        assertThat(lines()).noneMatch(line -> line.contains("FAILED"));
    }

    /** What is told of some schedules, and of each of them that fails. */
    private static String line(long from) {
        long faults = 0;
        long millis = 0;
        int outOfBudget = 0;
        StringBuilder failed = new StringBuilder();
        long since = System.nanoTime();
        for (long number = from; number < from + A_LINE; number++) {
            Schedule schedule = any(number);
            Simulation.Result result = Simulation.run(schedule, Mendings.ALL);
            faults += schedule.faults().size();
            millis += result.millis();
            outOfBudget += result.outOfBudget();
            if (!result.holds()) {
                String smallest = Series.smallest(schedule, Mendings.ALL).toString();
                failed.append("\tFAILED ").append(number).append(' ').append(smallest.replaceAll("\\s+", " "));
            }
        }
        return (from + A_LINE) + "\t" + faults + " faults\t" + millis / 1_000 + " s of virtual time\t"
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since) + " ms"
                + (outOfBudget == 0 ? "" : "\t" + outOfBudget + " jobs lost all workers that planned them") + failed;
    }

    /**
     * One job and what was thought of first, all that may happen to one, that in whatever manner and course, and that in a
     * larger world.
     */
    private static Schedule any(long number) {
        return switch ((int) (number % 4)) {
            case 0 -> Schedule.of(number, LEAST_FAULTS, MOST_FAULTS);
            case 1 -> Schedule.ofAll(number, LEAST_FAULTS, MOST_FAULTS);
            case 2 ->
                number % 8 == 2
                        ? Schedule.ofMost(number, LEAST_FAULTS, MOST_FAULTS)
                        : Schedule.ofWhole(number, LEAST_FAULTS, MOST_FAULTS);
            default -> Schedule.ofMore(number, LEAST_FAULTS, MOST_FAULTS);
        };
    }

    private static long done() throws IOException {
        List<String> lines = lines();
        return lines.isEmpty() ? 0 : Long.parseLong(lines.get(lines.size() - 1).split("\t", 2)[0]);
    }

    private static List<String> lines() throws IOException {
        return Files.exists(RESULTS) ? Files.readAllLines(RESULTS) : List.of();
    }

    private static void append(String line) throws IOException {
        Files.createDirectories(RESULTS.getParent());
        Files.writeString(
                RESULTS,
                line + System.lineSeparator(),
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
