package io.praline.tests.corpus;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Predicate;

/** What came of the runs so far, each a line in a file as soon as it is over: who was stopped goes on behind it. Any thread. */
final class Results {
    private final Path file;
    private final List<Result> all = new ArrayList<>();

    /** With those that the file has already. */
    Results(Path file) {
        this.file = file;
        try {
            if (Files.exists(file)) {
                Files.readAllLines(file).stream().skip(1).map(Result::read).forEach(all::add);
            } else {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.writeString(file, Result.HEAD + "\n");
            }
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    synchronized void add(Result result) {
        all.add(result);
        try {
            Files.writeString(file, result.line() + "\n", CREATE, APPEND);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    synchronized Optional<Result> of(Program program, Result.Kind kind) {
        return all.stream()
                .filter(result -> result.program().equals(program.name()) && result.kind() == kind)
                .findFirst();
    }

    synchronized List<Result> wrong() {
        return all.stream().filter(Result::isWrong).toList();
    }

    /** How many of the jobs that were to read entries did. */
    synchronized long readFromEntries() {
        return count(all, result -> result.kind() == Result.Kind.ENTRIES_READ && result.kept() > 0);
    }

    /** How many runs of each kind ended how, and how many of those that ran did so on two tasks. */
    synchronized String table() {
        StringJoiner table = new StringJoiner("\n");
        table.add(String.format(
                Locale.ROOT,
                "%-12s %6s %6s %15s %8s %6s %10s %13s %10s %8s",
                "run",
                "all",
                "equal",
                "up to what said",
                "refused",
                "WRONG",
                "two tasks",
                "exactly once",
                "of entries",
                "seconds"));
        for (Result.Kind kind : Result.Kind.values()) {
            List<Result> runs =
                    all.stream().filter(result -> result.kind() == kind).toList();
            long ran = count(runs, result -> result.tasks() > 0);
            table.add(String.format(
                    Locale.ROOT,
                    "%-12s %6d %6d %15d %8d %6d %9.1f%% %12.1f%% %9.1f%% %8.2f",
                    kind,
                    runs.size(),
                    count(runs, Verdict.Outcome.EQUAL),
                    count(runs, Verdict.Outcome.EQUAL_AS_SAID),
                    count(runs, Verdict.Outcome.REFUSED),
                    count(runs, Verdict.Outcome.WRONG),
                    100.0 * count(runs, result -> result.tasks() > 1) / Math.max(1, ran),
                    100.0 * count(runs, result -> result.promise().equals("exactly_once")) / Math.max(1, ran),
                    100.0 * count(runs, result -> result.kept() > 0) / Math.max(1, ran),
                    runs.stream().mapToDouble(Result::seconds).average().orElse(0)));
        }
        return table.toString();
    }

    private static long count(List<Result> runs, Verdict.Outcome... outcomes) {
        return count(runs, result -> Arrays.asList(outcomes)
                .contains(result.verdict().outcome()));
    }

    private static long count(List<Result> runs, Predicate<Result> which) {
        return runs.stream().filter(which).count();
    }
}
