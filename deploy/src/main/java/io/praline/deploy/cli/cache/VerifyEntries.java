package io.praline.deploy.cli.cache;

import io.praline.deploy.cluster.CacheOptions;
import io.praline.deploy.cluster.Endpoints;
import io.praline.deploy.cluster.Home;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.cluster.StorageOptions;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.policy.Counted;
import io.praline.worker.cache.StoreCheck;
import io.praline.worker.storage.ObjectFolder;
import io.praline.worker.storage.StorageSettings;
import io.praline.worker.storage.StoreFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether entries are what was written. */
@Command(
        name = "verify",
        description = "Read every entry of a cache and say which are not whole; changes nothing. Exit code 4 where"
                + " there is one.",
        footer = {"", "Example:  praline cache verify --cache-dir /mnt/cache"})
final class VerifyEntries implements Callable<Integer> {

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--cache-dir",
            paramLabel = "URL",
            description = "The folder, or s3://bucket/prefix; without it that of the cluster that 'praline up' starts.")
    private String dir;

    @Mixin
    private StorageOptions storage;

    @Override
    public Integer call() {
        String place = dir == null ? ofTheCluster(HomeOption.home()) : dir;
        StoreCheck found =
                ObjectFolder.isOne(place) ? lookFar(CacheOptions.checked(place)) : look(CacheOptions.folder(place));
        found.broken().forEach(line -> output.line("not whole: " + Failures.oneLine(line)));
        output.line(String.format(
                Locale.ROOT,
                "%s whole, %.1f MB; %s not",
                Counted.of(found.entries(), "entry is", "entries are"),
                found.bytes() / 1e6,
                Counted.of(found.broken().size(), "is", "are")));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("folder", place);
        object.put("entries", found.entries());
        object.put("bytes", found.bytes());
        object.put("broken", found.broken());
        output.object(object);
        return (found.broken().isEmpty() ? ExitCode.DONE : ExitCode.JOB_FAILED).number();
    }

    /** Of the one that runs; where none does, where the next one would look. */
    static String ofTheCluster(Home home) {
        return Endpoints.ofRunning(home.endpoints())
                .map(up -> up.cache()
                        .orElseThrow(() -> new CommandFailed(
                                ExitCode.REFUSED,
                                "the cluster that 'praline up' started keeps nothing; say which cache by --cache-dir"
                                        + " DIR")))
                .orElseGet(() -> home.data().resolve("cache").toString());
    }

    private StoreCheck lookFar(String url) {
        try {
            StorageSettings reached = storage.settings();
            return StoreCheck.of(url, reached.s3(), reached.stage().folder());
        } catch (IOException unreadable) {
            throw new CommandFailed(
                    unreadable.getCause() instanceof StoreFailed failed && failed.kind() == StoreFailed.Kind.UNREACHABLE
                            ? ExitCode.UNREACHABLE
                            : ExitCode.REFUSED,
                    Failures.oneLine(unreadable.getMessage()));
        }
    }

    private static StoreCheck look(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new CommandFailed(
                    ExitCode.REFUSED, "there is no folder " + folder + "; say which by --cache-dir DIR");
        }
        try {
            return StoreCheck.of(folder);
        } catch (IOException unreadable) {
            throw new CommandFailed(
                    ExitCode.REFUSED, Failures.oneLine(unreadable.getMessage()) + "; say which by --cache-dir DIR");
        }
    }
}
