package io.praline.deploy.cli.policy;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveJournal;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.NamedFile;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.dispatcher.replay.JobJournal;
import io.praline.dispatcher.replay.JournalFile;
import io.praline.policy.Counted;
import io.praline.policy.Policy;
import io.praline.policy.Target;
import io.praline.policy.replay.Replay;
import io.praline.policy.replay.WindowTable;
import io.praline.policy.scaling.Policies;
import io.praline.schema.JournalEntry;
import io.praline.schema.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A policy over what was recorded. */
@Command(
        name = "replay",
        description = "Run a policy over a job's journal, or over a table of windows, and show where it would have"
                + " decided otherwise.",
        footer = {
            "",
            "The same policy over its own journal agrees on every step. Of a table, a step is a row that has",
            "a next row, and it matches when the policy's target is the next row's workers.",
            "",
            "Examples:  praline policy replay train-7",
            "           praline policy replay train-7.avro --policy pecan --set maxLocal=4",
            "           praline policy replay --windows run.csv --policy pecan"
        })
final class PolicyReplayCommand implements Runnable {

    /** More are told with --json. */
    private static final int SHOWN = 20;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Parameters(
            paramLabel = "JOURNAL",
            arity = "0..1",
            description = "A file that 'praline journal export' wrote, else the id of a job, whose journal is read from"
                    + " the cluster.")
    private String journal;

    @Option(
            names = "--windows",
            paramLabel = "CSV",
            description = "Instead of a journal: a table with the columns"
                    + " seconds,remote,local,batchMillis,waitShare,queueDepth, which may be empty.")
    private Path windows;

    @Option(
            names = "--policy",
            paramLabel = "P",
            description = "Which policy; without it the one that the journal is of, or for a table the usual one.")
    private String policyName;

    @Option(names = "--set", paramLabel = "K=V", description = "A parameter of the policy; may be repeated.")
    private Map<String, String> settings = new TreeMap<>();

    /** What is replayed, and how its times are told. */
    private record Replayed(Policy policy, Replay replay, Function<Replay.Difference, String> time) {}

    @Override
    public void run() {
        if ((journal == null) == (windows == null)) {
            throw new ParameterException(spec.commandLine(), "say what to replay: either JOURNAL or --windows CSV");
        }
        print(windows == null ? overJournal() : overWindows());
    }

    private Replayed overWindows() {
        Policy policy = Policies.named(policyName == null ? Policies.USUAL : policyName, settings);
        Replay replay = Replay.ofWindows(
                read(
                        windows,
                        file -> WindowTable.parse(NamedFile.text(file).lines().toList())),
                policy);
        return new Replayed(policy, replay, one -> String.format(Locale.ROOT, "%.1f s", WindowTable.seconds(one.at())));
    }

    private Replayed overJournal() {
        if (policyName != null) {
            Policies.named(policyName, settings);
        }
        List<JournalEntry> entries = entries();
        try {
            JobJournal read = JobJournal.of(entries);
            Policy policy = policy(read);
            if (read.skipped() > 0) {
                output.note(Counted.of(read.skipped(), "entry", "entries") + " before the first snapshot "
                        + Counted.word(read.skipped(), "is", "are") + " passed over");
            }
            return new Replayed(policy, read.replay(policy), one -> one.at().toString());
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailed(ExitCode.REFUSED, journal + ": " + wrong.getMessage(), wrong);
        }
    }

    private List<JournalEntry> entries() {
        Path file = Path.of(journal);
        if (Files.exists(file)) {
            return read(file, JournalFile::read);
        }
        if (file.getNameCount() > 1 || journal.endsWith(".avro")) {
            throw new CommandFailed(
                    ExitCode.REFUSED,
                    "there is no file " + journal + "; 'praline journal export JOB --to FILE' makes one");
        }
        return LiveJournal.of(cluster.kafka(), journal);
    }

    private Policy policy(JobJournal read) {
        if (policyName != null) {
            return Policies.named(policyName, settings);
        }
        Snapshot recorded = read.begun()
                .orElseThrow(() ->
                        new IllegalArgumentException("it does not tell which policy it is of; name one with --policy"));
        Map<String, String> parameters = new TreeMap<>(recorded.getParameters());
        parameters.putAll(settings);
        Policy policy = Policies.named(recorded.getPolicy(), parameters);
        if (policy.version() != recorded.getPolicyVersion()) {
            output.note("it is of version " + recorded.getPolicyVersion() + " of policy " + policy.name()
                    + ", this is version " + policy.version() + ": they may decide differently");
        }
        return policy;
    }

    private interface Reading<V> {
        V read(Path file) throws IOException;
    }

    private static <V> V read(Path file, Reading<V> reading) {
        try {
            return reading.read(file);
        } catch (IOException unreadable) {
            throw new CommandFailed(
                    ExitCode.REFUSED, file + " cannot be read: " + Failures.why(unreadable), unreadable);
        } catch (IllegalArgumentException wrong) {
            String message = wrong.getMessage();
            throw new CommandFailed(
                    ExitCode.REFUSED, message.startsWith(file.toString()) ? message : file + ": " + message, wrong);
        }
    }

    private void print(Replayed replayed) {
        Replay replay = replayed.replay();
        output.line(replayed.policy().name() + " matches " + replay.matched() + " of "
                + Counted.of(replay.steps(), "step"));
        replay.differences().stream()
                .limit(SHOWN)
                .forEach(one -> output.line("  step " + one.step() + " at "
                        + replayed.time().apply(one) + ": " + one.decided() + ", where " + one.recorded()
                        + " is recorded; " + one.reason()));
        if (replay.differences().size() > SHOWN) {
            output.line("  and " + (replay.differences().size() - SHOWN) + " more; --json tells all");
        }
        List<Map<String, Object>> differences = replay.differences().stream()
                .map(one -> object(one, replayed.time().apply(one)))
                .toList();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("policy", replayed.policy().name());
        object.put("steps", replay.steps());
        object.put("matched", replay.matched());
        object.put("firstDifference", differences.isEmpty() ? null : differences.get(0));
        object.put("differences", differences);
        output.object(object);
    }

    private static Map<String, Object> object(Replay.Difference one, String time) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("step", one.step());
        object.put("at", time);
        object.put("decided", object(one.decided()));
        object.put("recorded", object(one.recorded()));
        object.put("reason", one.reason());
        return object;
    }

    private static Map<String, Object> object(Target target) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("remote", target.remote());
        object.put("local", target.local());
        return object;
    }
}
