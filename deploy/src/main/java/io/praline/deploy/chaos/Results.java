package io.praline.deploy.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Results of runs as they come, in a file where one is given, so that what was stopped goes on. */
public final class Results {
    private final Optional<Path> file;
    private final List<RunResult> all = new ArrayList<>();

    /**
     * Takes up those that are in the file.
     *
     * @param options with what the runs are made: results of others are left alone
     * @throws IllegalArgumentException if the file holds something else
     */
    public Results(Optional<Path> file, String options) {
        this.file = file;
        try {
            if (file.isPresent() && Files.exists(file.get())) {
                Files.readAllLines(file.get(), StandardCharsets.UTF_8).stream()
                        .map(RunResult::of)
                        .filter(result -> result.options().equals(options))
                        .forEach(all::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file.get() + ": " + e.getMessage(), e);
        }
    }

    public boolean has(long seed) {
        return all.stream().anyMatch(result -> result.seed() == seed);
    }

    public void add(RunResult result) {
        all.add(result);
        if (file.isPresent()) {
            try {
                Path path = file.get().toAbsolutePath();
                Files.createDirectories(path.getParent());
                Files.writeString(path, result.json() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file.get() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Those of these seeds. */
    public List<RunResult> of(long first, long count) {
        return all.stream()
                .filter(result -> result.seed() >= first && result.seed() < first + count)
                .toList();
    }
}
