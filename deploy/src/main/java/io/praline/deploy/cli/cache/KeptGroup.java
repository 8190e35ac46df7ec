package io.praline.deploy.cli.cache;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.JobRequests;
import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.KeptView;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.dispatcher.convert.CacheRecords;
import io.praline.schema.CacheStatus;
import io.praline.schema.DropCache;
import io.praline.schema.PinCache;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of entries that something is asked of. */
final class KeptGroup {
    /** Whoever writes entries or reads them is told every 2 s, and tells every 10 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Parameters(
            paramLabel = "PREFIX",
            description = "Which entries, as 'praline cache list' shows them, or the beginning of it.")
    private String prefix;

    @Option(names = "--tenant", paramLabel = "T", description = "Whose; needed where several tenants have them.")
    private String tenant;

    /** What is kept, by key. */
    static Map<String, CacheStatus> groups(List<TopicReader.Entry<CacheStatus>> read) {
        Map<String, CacheStatus> groups = new TreeMap<>();
        read.forEach(entry -> entry.value()
                .ifPresentOrElse(status -> groups.put(entry.key(), status), () -> groups.remove(entry.key())));
        return groups;
    }

    private CacheStatus only(Map<String, CacheStatus> groups) {
        if (prefix.isBlank()) { // as of a variable of a shell that is not set: all begin with it
            throw new CommandFailed(
                    ExitCode.WRONG_USE, "say which entries: PREFIX is empty; 'praline cache list' shows what is kept");
        }
        List<CacheStatus> found = groups.values().stream()
                .filter(group -> group.getPrefix().startsWith(prefix))
                .filter(group -> tenant == null || group.getTenant().equals(tenant))
                .toList();
        if (found.isEmpty()) {
            throw new CommandFailed(
                    ExitCode.REFUSED, "nothing is kept under " + prefix + "; 'praline cache list' shows what is");
        }
        if (found.size() > 1) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    prefix + " is the beginning of " + found.size()
                            + ": say more of it, or whose it is by --tenant; see 'praline cache list'");
        }
        return found.get(0);
    }

    /**
     * Asks for something, and waits until it is so.
     *
     * @param is whether it is, by what is told of the group; empty: nothing is kept of it any more
     */
    private void ask(Function<CacheStatus, Object> body, Predicate<Optional<CacheStatus>> is, String done) {
        KafkaSettings kafka = cluster.kafka();
        CacheStatus group;
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<CacheStatus> reader = LiveTopics.all(kafka, codec, Topics.CACHES)) {
            group = only(groups(reader.drain()));
            if (!is.test(Optional.of(group))) {
                JobRequests.send(kafka, codec, group.getPool(), body.apply(group));
                await(reader, group, is);
            }
        }
        String which = new KeptView(group).row().strip().split(" ", 2)[0];
        output.line(which + " " + done);
        output.object(Map.of("prefix", group.getPrefix(), "tenant", group.getTenant(), "done", done));
    }

    private static void await(TopicReader<CacheStatus> reader, CacheStatus group, Predicate<Optional<CacheStatus>> is) {
        String key = CacheRecords.key(group);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Optional<CacheStatus> now = Optional.of(group);
        while (!is.test(now)) {
            if (System.nanoTime() - deadline > 0) {
                throw new CommandFailed(
                        ExitCode.UNREACHABLE,
                        "it is asked for, and was not so within " + PATIENCE.toSeconds()
                                + " s: is a dispatcher running, and a worker that has the entries? What jobs read"
                                + " goes when they have");
            }
            for (TopicReader.Entry<CacheStatus> entry : reader.poll(Duration.ofMillis(200))) {
                if (entry.key().equals(key)) {
                    now = entry.value();
                }
            }
        }
    }

    /** Nothing of it goes. */
    @Command(
            name = "pin",
            description = "Keep entries whatever else would need the room, until they are unpinned.",
            footer = {"", "Example:  praline cache pin 3f2a"})
    static final class PinEntries implements Runnable {

        @Mixin
        private KeptGroup group;

        @Override
        public void run() {
            group.ask(
                    known -> new PinCache(known.getTenant(), known.getPrefix(), true),
                    now -> now.filter(CacheStatus::getPinned).isPresent(),
                    "is pinned");
        }
    }

    /** It goes like any other. */
    @Command(
            name = "unpin",
            description = "Let entries go again where others save more.",
            footer = {"", "Example:  praline cache unpin 3f2a"})
    static final class UnpinEntries implements Runnable {

        @Mixin
        private KeptGroup group;

        @Override
        public void run() {
            group.ask(
                    known -> new PinCache(known.getTenant(), known.getPrefix(), false),
                    now -> now.filter(CacheStatus::getPinned).isEmpty(),
                    "is pinned no longer");
        }
    }

    /** All of it goes. */
    @Command(
            name = "drop",
            description = "Take entries away, pinned or not; what a job reads just then goes when it has.",
            footer = {"", "Example:  praline cache drop 3f2a"})
    static final class DropEntries implements Runnable {

        @Mixin
        private KeptGroup group;

        @Override
        public void run() {
            group.ask(known -> new DropCache(known.getTenant(), known.getPrefix()), Optional::isEmpty, "is dropped");
        }
    }
}
