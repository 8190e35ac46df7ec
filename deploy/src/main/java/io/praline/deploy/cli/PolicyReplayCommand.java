package io.praline.deploy.cli;

import io.praline.policy.Policy;
import io.praline.policy.Target;
import io.praline.policy.replay.Replay;
import io.praline.policy.replay.WindowTable;
import io.praline.policy.scaling.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A policy over what was recorded. */
@Command(
        name = "replay",
        description = "Run a policy over recorded windows, and show where it would have decided otherwise.",
        footer = {"", "Example:  praline policy replay --windows run.csv --policy pecan --set errorBar=0.05"})
final class PolicyReplayCommand implements Runnable {

    /** More are told with --json. */
    private static final int SHOWN = 20;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--windows",
            required = true,
            paramLabel = "CSV",
            description = "A table with the columns seconds,remote,local,batchMillis,waitShare,queueDepth.")
    private Path windows;

    @Option(names = "--policy", paramLabel = "P", description = "Which policy; without it the usual one.")
    private String policyName = Policies.USUAL;

    @Option(names = "--set", paramLabel = "K=V", description = "A parameter of that policy; may be repeated.")
    private Map<String, String> settings = new TreeMap<>();

    @Override
    public void run() {
        Policy policy = Policies.named(policyName, settings);
        List<WindowTable.Row> rows = rows();
        Replay replay = Replay.ofWindows(rows, policy);
        print(policy, replay);
    }

    private List<WindowTable.Row> rows() {
        try {
            return WindowTable.parse(Files.readAllLines(windows));
        } catch (IOException unreadable) {
            throw new CommandFailed(
                    ExitCode.REFUSED,
                    windows + " cannot be read: " + Failures.oneLine(unreadable.toString()),
                    unreadable);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailed(ExitCode.REFUSED, windows + ": " + wrong.getMessage(), wrong);
        }
    }

    private void print(Policy policy, Replay replay) {
        output.line(String.format(
                Locale.ROOT, "%s matches %d of %d steps", policy.name(), replay.matched(), replay.steps()));
        for (Replay.Difference one : replay.differences()
                .subList(0, Math.min(SHOWN, replay.differences().size()))) {
            output.line(String.format(
                    Locale.ROOT,
                    "  step %d at %.1f s: %s, recorded is %s; %s",
                    one.step(),
                    WindowTable.seconds(one.at()),
                    one.decided(),
                    one.recorded(),
                    one.reason()));
        }
        if (replay.differences().size() > SHOWN) {
            output.line("  and " + (replay.differences().size() - SHOWN) + " more; --json tells all");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("policy", policy.name());
        object.put("steps", replay.steps());
        object.put("matched", replay.matched());
        object.put(
                "firstDifference",
                replay.firstDifference().map(PolicyReplayCommand::object).orElse(null));
        object.put(
                "differences",
                replay.differences().stream().map(PolicyReplayCommand::object).toList());
        output.object(object);
    }

    private static Map<String, Object> object(Replay.Difference one) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("step", one.step());
        object.put("seconds", WindowTable.seconds(one.at()));
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
