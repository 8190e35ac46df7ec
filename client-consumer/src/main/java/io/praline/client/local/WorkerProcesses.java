package io.praline.client.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Workers as child processes of this one: {@code COMMAND --local --job JOB --id ... --unix-socket ...}. Their standard
 * input is a pipe from this process, which they read to notice that it is gone. Any thread.
 */
public final class WorkerProcesses implements WorkerLauncher {
    /** A socket's path is limited by the kernel. */
    private static final int MAX_SOCKET_PATH = 90;

    private final List<String> command;
    private final String host;
    private final Path folder;

    /**
     * Starts nothing yet.
     *
     * @param command such as {@code /opt/praline/praline worker --bootstrap kafka:9092 --registry http://registry:8081
     *     --secret-file /etc/praline/secret --cores 2}, a word an entry
     * @param host what this host is called; in the workers' ids
     * @param folder for their logs and sockets; made where it is missing
     */
    public WorkerProcesses(List<String> command, String host, Path folder) {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the command of local workers must not be empty");
        }
        this.command = List.copyOf(command);
        this.host = host;
        this.folder = folder.toAbsolutePath();
    }

    @Override
    public LaunchedWorker start(String job, int number) {
        String id = job + "-local-" + host + "-" + number;
        Path log = folder.resolve(id + ".log");
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("--local", "--job", job, "--id", id, "--slots", "1", "--unix-socket", socket(id)));
        try {
            Files.createDirectories(folder);
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new Child(process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start local worker " + id + ": " + e.getMessage(), e);
        }
    }

    private String socket(String id) {
        Path near = folder.resolve(id + ".sock");
        if (near.toString().length() <= MAX_SOCKET_PATH) {
            return near.toString();
        }
        String name = "praline-" + ProcessHandle.current().pid() + "-" + Integer.toHexString(id.hashCode()) + ".sock";
        return Path.of(System.getProperty("java.io.tmpdir"), name).toString();
    }

    private record Child(Process process, Path log) implements LaunchedWorker {
        @Override
        public boolean running() {
            return process.isAlive();
        }

        @Override
        public void drain() {
            // the process's own destroy() closes its standard input as well, which is what tells it that this one is
            // gone
            process.toHandle().destroy();
        }

        @Override
        public void kill() {
            process.destroyForcibly();
        }

        @Override
        public String lastWords() {
            return "code " + process.exitValue() + ", " + lastLine() + " (see " + log + ")";
        }

        private String lastLine() {
            try {
                List<String> lines = Files.readString(log, StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> !line.isBlank())
                        .toList();
                return lines.isEmpty() ? "without a word" : lines.get(lines.size() - 1);
            } catch (IOException unreadable) {
                return "without a log";
            }
        }
    }
}
