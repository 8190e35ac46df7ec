package io.praline.deploy.cli;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.health.Finding;
import io.praline.topics.health.Installation;
import io.praline.topics.health.LogHealth;
import io.praline.topics.health.SignsOfLife;
import io.praline.topics.registry.AvroCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is off between topics, offsets, state and transactions. */
@Command(
        name = "doctor",
        description = "Say what is off between topics, offsets, state and transactions, and what to do about it; takes"
                + " some seconds. Ends with 0 where all is sound, with 4 where something is off.",
        footer = {
            "",
            "Examples:  praline doctor",
            "           praline doctor --mend --bootstrap kafka:9092 --registry http://registry:8081"
        })
public final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--mend",
            description = "Mend what can be mended without loss: end transactions that hang and were aborted, create"
                    + " topics that are missing.")
    private boolean mend;

    @Option(
            names = "--application",
            paramLabel = "ID",
            description = "The group that all dispatchers of the installation share (${DEFAULT-VALUE}).")
    private String application = DispatcherConfig.USUAL_APPLICATION;

    @Override
    public Integer call() {
        KafkaSettings kafka = cluster.kafka();
        Installation installation = new Installation(application, DispatcherConfig.changelog(application));
        int off = 0;
        try (AvroCodec codec = new AvroCodec(kafka);
                LogHealth log = LogHealth.connect(kafka, installation)) {
            codec.requireReachable();
            off += tell(log.topics());
            off += tell(log.transactions());
            off += tell(log.offsetsAndState());
            Set<String> topics = log.existing();
            int dispatchers = log.dispatchers();
            if (topics.contains(Topics.WORKER_HEARTBEATS.name())) {
                off += dispatchers == 0
                        ? tell(SignsOfLife.dispatchers(installation, 0, SignsOfLife.Heard.NOTHING))
                        : listen(kafka, codec, installation, log);
            }
            if (topics.contains(Topics.QUARANTINE.name())) {
                off += tell(SignsOfLife.quarantine(kafka, codec));
            }
            if (off == 0) {
                output.line("all is sound; " + inWords(dispatchers));
            }
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("off", off);
            object.put("dispatchers", dispatchers);
            output.object(object);
        }
        return (off == 0 ? ExitCode.DONE : ExitCode.JOB_FAILED).number();
    }

    /** What is off with whoever serves, and with jobs that he should know. */
    private int listen(KafkaSettings kafka, AvroCodec codec, Installation installation, LogHealth log) {
        SortedMap<String, SignsOfLife.Open> open = log.existing().contains(Topics.JOBS.name())
                ? SignsOfLife.openJobs(kafka, codec, log.partitions(Topics.WORKER_HEARTBEATS))
                : new TreeMap<>();
        Set<Integer> expected =
                open.values().stream().map(SignsOfLife.Open::partition).collect(Collectors.toSet());
        SignsOfLife.Heard heard = SignsOfLife.listen(kafka, codec, expected);
        return tell(SignsOfLife.dispatchers(installation, log.dispatchers(), heard))
                + tell(SignsOfLife.lostJobs(open, heard));
    }

    private static String inWords(int dispatchers) {
        return dispatchers > 1
                ? dispatchers + " dispatchers, of which one may be lost"
                : "one dispatcher, and no other that would go on where it ends";
    }

    /** Tells and mends; gives how many are still off. */
    private int tell(List<Finding> findings) {
        int off = 0;
        for (Finding finding : findings) {
            Optional<String> mended = mend ? finding.mending().map(mending -> mending.get()) : Optional.empty();
            output.line(finding.area() + ": " + finding.problem() + "; "
                    + mended.map(what -> "mended: " + what).orElse(finding.remedy()));
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("area", finding.area());
            object.put("problem", finding.problem());
            object.put("remedy", finding.remedy());
            object.put("mendable", finding.mending().isPresent());
            object.put("mended", mended.orElse(null));
            output.object(object);
            off += mended.isPresent() ? 0 : 1;
        }
        return off;
    }
}
