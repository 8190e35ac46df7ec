package io.praline.dispatcher.convert;

import io.praline.policy.Command;
import io.praline.policy.Decision;
import io.praline.policy.JobState;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.schema.Decided;
import io.praline.schema.Observed;
import io.praline.schema.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Observations, decisions and what policies know, as the journal has them. */
public final class DecisionWriter {
    private DecisionWriter() {}

    public static Observed observed(String kind, String subject, Map<String, Double> numbers) {
        return Observed.newBuilder()
                .setKind(kind)
                .setSubject(subject)
                .setNumbers(new TreeMap<>(numbers))
                .setTexts(new TreeMap<>())
                .build();
    }

    public static Decided decided(String command, String subject, Map<String, Double> numbers) {
        return Decided.newBuilder()
                .setCommand(command)
                .setSubject(subject)
                .setNumbers(new TreeMap<>(numbers))
                .build();
    }

    public static Observed observed(String job, Observation seen) {
        return seen.match(new Observation.Cases<>() {
            @Override
            public Observed planned(Observation.Planned plan) {
                return observed(
                        "planned",
                        job,
                        Map.of(
                                "splits",
                                (double) plan.splits(),
                                "bytes",
                                (double) plan.bytes(),
                                "singleTask",
                                plan.singleTask() ? 1.0 : 0.0));
            }

            @Override
            public Observed poolChanged(Observation.PoolChanged pool) {
                return observed(
                        "poolChanged", job, Map.of("workers", (double) pool.workers(), "slots", (double) pool.slots()));
            }

            @Override
            public Observed granted(Observation.Granted grant) {
                return observed("granted", job, Map.of("workers", (double) grant.workers()));
            }

            @Override
            public Observed windowClosed(Observation.WindowClosed window) {
                return observed(
                        "windowClosed",
                        Integer.toString(window.consumer()),
                        Map.of(
                                "batches",
                                (double) window.batches(),
                                "seconds",
                                window.seconds(),
                                "waitShare",
                                window.waitShare(),
                                "queueDepth",
                                window.queueDepth(),
                                "localTasks",
                                (double) window.localTasks(),
                                "remoteTasks",
                                (double) window.remoteTasks(),
                                "straddles",
                                window.straddles() ? 1.0 : 0.0));
            }

            @Override
            public Observed clock(Observation.Clock clock) {
                return observed("clock", "", Map.of());
            }
        });
    }

    public static List<Decided> decided(String job, Decision decision) {
        return decision.commands().stream()
                .map(command -> decided(job, command))
                .toList();
    }

    private static Decided decided(String job, Command command) {
        return command.match(target -> decided("scaleTo", job, Map.of("workers", (double) target.workers())));
    }

    public static Snapshot snapshot(Policy policy, JobState state) {
        Map<String, String> known = new TreeMap<>();
        known.put("splits", Long.toString(state.splits()));
        known.put("singleTask", Boolean.toString(state.singleTask()));
        known.put("poolWorkers", Integer.toString(state.poolWorkers()));
        known.put("poolSlots", Integer.toString(state.poolSlots()));
        known.put("wanted", Integer.toString(state.wanted()));
        known.put("granted", Integer.toString(state.granted()));
        known.put("scaledAtMillis", Long.toString(state.scaledAt().toEpochMilli()));
        return Snapshot.newBuilder()
                .setPolicy(policy.name())
                .setPolicyVersion(policy.version())
                .setParameters(new TreeMap<>(policy.parameters()))
                .setState(known)
                .build();
    }
}
