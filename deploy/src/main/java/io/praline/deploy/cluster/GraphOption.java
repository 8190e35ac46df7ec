package io.praline.deploy.cluster;

import io.praline.client.ClientConfig;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a command puts graphs that are too large for a record. */
public final class GraphOption {

    @Option(
            names = "--graph-dir",
            paramLabel = "FOLDER",
            description =
                    "Where a pipeline of more than 512 KiB is put, such as one with arrays in it: a folder that workers"
                            + " see under the same path; without it one of the cluster that 'praline up' started.")
    private Path folder;

    /** With the folder that is named, else that of the cluster. */
    public ClientConfig on(ClientConfig config, ClusterOptions cluster) {
        return Optional.ofNullable(folder)
                .map(Path::toAbsolutePath)
                .or(cluster::graphs)
                .map(config::withSharedDir)
                .orElse(config);
    }
}
