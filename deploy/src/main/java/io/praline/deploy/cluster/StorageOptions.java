package io.praline.deploy.cluster;

import io.praline.deploy.terminal.Within;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import io.praline.worker.storage.StorageSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** How workers come to data that lies elsewhere: options of whatever starts them, or reads as they do. */
public final class StorageOptions {

    @Option(
            names = "--s3-endpoint",
            paramLabel = "URL",
            description = "Where s3:// addresses lead, as http://host:port; without it AWS. Credentials are found as"
                    + " AWS's programs find them (AWS_ACCESS_KEY_ID, profiles, roles).")
    private String endpoint;

    @Option(
            names = "--s3-region",
            paramLabel = "R",
            description = "The region of the buckets; without it what AWS_REGION or a profile says.")
    private String region;

    @Option(
            names = "--s3-path-style",
            arity = "0..1",
            paramLabel = "BOOL",
            fallbackValue = "true",
            description = "The bucket's name stands in the path and not in the host's, as many stores want it.")
    private boolean pathStyle;

    @Option(
            names = "--stage-dir",
            paramLabel = "DIR",
            description =
                    "Where objects lie while they are read, on disk or in memory; without it a folder for temporary"
                            + " files.")
    private Path stageDir;

    @Option(
            names = "--stage-bytes",
            paramLabel = "N",
            description = "How much lies there at most; without it a tenth of what is free, at most 64 GiB.")
    @Within(least = 1)
    private Long stageBytes;

    /** What they say, with a folder where they name none. */
    public StorageSettings settings(Path usualFolder) {
        return new StorageSettings(
                S3Settings.of(Optional.ofNullable(endpoint), Optional.ofNullable(region), pathStyle),
                new StageSettings(
                        stageDir == null ? usualFolder : stageDir.toAbsolutePath(),
                        stageBytes == null ? OptionalLong.empty() : OptionalLong.of(stageBytes)));
    }

    /** What they say, with the usual folder. */
    public StorageSettings settings() {
        return settings(StageSettings.usualFolder());
    }

    /** The same as options of a worker's process. */
    public static List<String> arguments(StorageSettings settings) {
        List<String> arguments = new ArrayList<>();
        settings.s3().endpoint().ifPresent(each -> arguments.addAll(List.of("--s3-endpoint", each.toString())));
        settings.s3().region().ifPresent(each -> arguments.addAll(List.of("--s3-region", each)));
        if (settings.s3().pathStyle()) {
            arguments.addAll(List.of("--s3-path-style", "true"));
        }
        arguments.addAll(List.of("--stage-dir", settings.stage().folder().toString()));
        settings.stage().bytes().ifPresent(each -> arguments.addAll(List.of("--stage-bytes", Long.toString(each))));
        return arguments;
    }
}
