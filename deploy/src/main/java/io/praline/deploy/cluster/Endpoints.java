package io.praline.deploy.cluster;

import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/**
 * What {@code praline up} started, for the commands that come after it.
 *
 * @param bootstrap Kafka's {@code host:port}
 * @param registry the registry's URL
 * @param secretFile the file with the secret that clients and workers share
 * @param dataDir where the cluster keeps its data
 * @param pid the process that holds it; when that is gone, so is the cluster
 * @param page the address of the page that shows it; empty where there is none
 * @param cache where its workers keep elements, a folder or {@code s3://bucket/prefix}; empty where they keep none
 */
public record Endpoints(
        String bootstrap,
        String registry,
        Path secretFile,
        Path dataDir,
        long pid,
        Optional<String> page,
        Optional<String> cache) {

    /** When a process began is told by the second of the machine's start, and clocks are set. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    public Endpoints {
        if (bootstrap.isBlank() || registry.isBlank()) {
            throw new IllegalArgumentException(
                    "bootstrap and registry must be set, are '" + bootstrap + "' and '" + registry + "'");
        }
        if (pid <= 0) {
            throw new IllegalArgumentException("pid must be above 0, is " + pid);
        }
    }

    /** With the page that shows it. */
    public Endpoints shownBy(Optional<String> address) {
        return new Endpoints(bootstrap, registry, secretFile, dataDir, pid, address, cache);
    }

    /** With the place where its workers keep elements. */
    public Endpoints keepingIn(Optional<String> place) {
        return new Endpoints(bootstrap, registry, secretFile, dataDir, pid, page, place);
    }

    /** Where clients put graphs that are too large for a record; the workers, on this host, read them there. */
    public Path graphs() {
        return dataDir.resolve("graphs");
    }

    /**
     * Whether the process that holds the cluster runs. One that began behind the file is another, to which the system gave its
     * number.
     *
     * @param file that it wrote
     */
    public boolean alive(Path file) {
        Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        Optional<Instant> began = process.flatMap(running -> running.info().startInstant());
        return process.isPresent()
                && began.filter(at -> at.minus(SLACK).isAfter(written(file))).isEmpty();
    }

    private static Instant written(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException gone) {
            return Instant.MAX;
        }
    }

    public void write(Path file) {
        Properties lines = new Properties();
        lines.setProperty("bootstrap", bootstrap);
        lines.setProperty("registry", registry);
        lines.setProperty("secret", secretFile.toString());
        lines.setProperty("data", dataDir.toString());
        lines.setProperty("pid", Long.toString(pid));
        page.ifPresent(address -> lines.setProperty("page", address));
        cache.ifPresent(place -> lines.setProperty("cache", place));
        try {
            Files.createDirectories(file.getParent());
            Path fresh = file.resolveSibling(file.getFileName() + "." + pid);
            try (Writer out = Files.newBufferedWriter(fresh)) {
                lines.store(out, "the cluster that praline up started");
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Writes it again where the file is gone or speaks of no cluster that runs: another one may have been written in its
     * place, and ended.
     */
    public void keep(Path file) {
        try {
            if (toReplace(file).isEmpty()) {
                write(file);
            }
        } catch (UncheckedIOException full) {
            // the cluster runs without, and it is tried again
        }
    }

    /** Deletes the file if it still speaks of this process's cluster. */
    public void erase(Path file) {
        if (read(file).filter(known -> known.pid() == pid).isPresent()) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot delete " + file + ": " + e.getMessage(), e);
            }
        }
    }

    /** Those of a cluster that runs. */
    public static Optional<Endpoints> ofRunning(Path file) {
        return read(file).filter(known -> known.alive(file));
    }

    /** As {@link #ofRunning}, for who is to write the file: one that cannot be read is none. */
    public static Optional<Endpoints> toReplace(Path file) {
        try {
            return ofRunning(file);
        } catch (CommandFailed unreadable) {
            return Optional.empty();
        }
    }

    /** Empty where no file is. */
    public static Optional<Endpoints> read(Path file) {
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            lines.load(in);
            return Optional.of(new Endpoints(
                    lines.getProperty("bootstrap", ""),
                    lines.getProperty("registry", ""),
                    Path.of(lines.getProperty("secret", "")),
                    Path.of(lines.getProperty("data", "")),
                    Long.parseLong(lines.getProperty("pid", "0")),
                    Optional.ofNullable(lines.getProperty("page")),
                    Optional.ofNullable(lines.getProperty("cache"))));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailed(
                    ExitCode.UNREACHABLE,
                    "cannot read " + file + " (" + e.getMessage()
                            + "); delete it and start the cluster with 'praline up'",
                    e);
        }
    }
}
