package io.praline.deploy.cli;

import io.praline.client.ClientConfig;
import io.praline.client.local.WorkerLauncher;
import io.praline.client.local.WorkerProcesses;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.local.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Workers on the trainer's host, as this command starts them: by {@code praline worker --local}, on this command's own class path. */
final class LocalWorkerProcesses {

    private LocalWorkerProcesses() {}

    /**
     * Starts nothing yet; empty where there may be none.
     *
     * @param connection which cluster they belong to, as options of a command
     * @param client whose workers they are
     * @param most how many share this machine
     * @param folder for logs and sockets
     */
    static Optional<WorkerLauncher> of(List<String> connection, ClientConfig client, int most, Path folder) {
        if (most < 1) {
            return Optional.empty();
        }
        List<String> command =
                new ArrayList<>(ChildProcess.java(LocalCluster.WORKER_HEAP_MB, LocalCluster.WORKER_DIRECT_MB));
        command.add(Praline.class.getName());
        command.add("worker");
        command.addAll(connection);
        command.add("--pool");
        command.add(client.pool());
        command.add("--cores");
        command.add(Integer.toString(Math.max(1, Runtime.getRuntime().availableProcessors() / most)));
        command.add("--memory-mb");
        command.add(Long.toString(Machine.memoryBytes() / 2 / 1_000_000 / most));
        return Optional.of(new WorkerProcesses(command, client.host(), folder));
    }
}
