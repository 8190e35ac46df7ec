package io.praline.dispatcher.convert;

import io.praline.policy.Command;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.PolicyStateText;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.Observed;
import io.praline.schema.Snapshot;
import io.praline.topics.Topics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Observations, decisions and what policies know, as the journal has them. */
public final class DecisionWriter {
    /** Entries of a job from one snapshot to the next: a journal that retention has cut can be replayed from one of these on. */
    public static final int ENTRIES_A_SNAPSHOT = 1_000;

    /** How keys of entries that are about pools begin: no job may be called so. */
    static final String POOLS = Topics.poolKey("");

    private DecisionWriter() {}

    public static Observed observed(JournalKind kind, String subject, Map<String, Double> numbers) {
        return Observed.newBuilder()
                .setKind(kind.text())
                .setSubject(subject)
                .setNumbers(new TreeMap<>(numbers))
                .setTexts(new TreeMap<>())
                .build();
    }

    /** As {@link #observed(String, Observation)}, for a policy that only looks on. */
    public static Observed shadow(String job, Observation seen) {
        Observed observed = observed(job, seen);
        return JournalKind.of(observed.getKind())
                .map(kind ->
                        Observed.newBuilder(observed).setKind(kind.shadowed()).build())
                .orElseThrow();
    }

    /**
     * Windows of one beat that no policy saw.
     *
     * @param refused how many
     * @param window the first of them
     */
    public static Observed refused(int consumer, int refused, MeasurementWindow window) {
        return observed(
                JournalKind.WINDOW_REFUSED,
                Integer.toString(consumer),
                Map.of(
                        "refused",
                        (double) refused,
                        "batches",
                        (double) window.getBatches(),
                        "elements",
                        (double) window.getElements(),
                        "bytes",
                        (double) window.getBytes(),
                        "seconds",
                        window.getSeconds(),
                        "waitShare",
                        window.getWaitShare(),
                        "queueDepth",
                        window.getQueueDepth(),
                        "localTasks",
                        (double) window.getLocalTasks(),
                        "remoteTasks",
                        (double) window.getRemoteTasks()));
    }

    public static Decided decided(JournalCommand command, String subject, Map<String, Double> numbers) {
        return Decided.newBuilder()
                .setCommand(command.text())
                .setSubject(subject)
                .setNumbers(new TreeMap<>(numbers))
                .build();
    }

    public static Observed observed(String job, Observation seen) {
        return seen.match(new Observation.Cases<>() {
            @Override
            public Observed planned(Observation.Planned plan) {
                return observed(
                        JournalKind.PLANNED,
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
                        JournalKind.POOL_CHANGED, job, Map.of("workers", (double) pool.workers(), "slots", (double)
                                pool.slots()));
            }

            @Override
            public Observed granted(Observation.Granted grant) {
                return observed(JournalKind.GRANTED, job, numbers(grant.workers()));
            }

            @Override
            public Observed termsSet(Observation.TermsSet set) {
                Terms terms = set.terms();
                Observed observed = observed(
                        JournalKind.TERMS_SET,
                        job,
                        Map.of(
                                "clientPerHour",
                                terms.prices().clientPerHour(),
                                "remotePerHour",
                                terms.prices().remotePerHour(),
                                "egressPerGb",
                                terms.prices().egressPerGb(),
                                "maxRemote",
                                (double) terms.limits().maxRemote(),
                                "maxLocal",
                                (double) terms.limits().maxLocal(),
                                "cap",
                                terms.cap()));
                observed.getTexts().put("goal", terms.goal().name());
                return observed;
            }

            @Override
            public Observed pinned(Observation.Pinned pin) {
                return observed(
                        JournalKind.PINNED,
                        job,
                        pin.target().map(DecisionWriter::numbers).orElse(Map.of()));
            }

            @Override
            public Observed rateMeasured(Observation.RateMeasured rate) {
                return observed(
                        JournalKind.RATE_MEASURED,
                        rate.worker(),
                        Map.of(
                                "local",
                                rate.local() ? 1.0 : 0.0,
                                "beside",
                                (double) rate.beside(),
                                "elementsPerSecond",
                                rate.elementsPerSecond()));
            }

            @Override
            public Observed windowClosed(Observation.WindowClosed window) {
                return observed(
                        JournalKind.WINDOW_CLOSED,
                        Integer.toString(window.consumer()),
                        Map.of(
                                "batches",
                                (double) window.batches(),
                                "elements",
                                (double) window.elements(),
                                "bytes",
                                (double) window.bytes(),
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
            public Observed orderChanged(Observation.OrderChanged order) {
                return observed(JournalKind.ORDER_CHANGED, job, Map.of("gain", order.gain()));
            }

            @Override
            public Observed tenantSpent(Observation.TenantSpent tenant) {
                return observed(JournalKind.TENANT_SPENT, job, Map.of("spent", tenant.spent(), "cap", tenant.cap()));
            }

            @Override
            public Observed clock(Observation.Clock clock) {
                return observed(JournalKind.CLOCK, "", Map.of());
            }
        });
    }

    private static Map<String, Double> numbers(Target target) {
        return Map.of("remote", (double) target.remote(), "local", (double) target.local());
    }

    public static List<Decided> decided(String job, Decision decision) {
        return decision.commands().stream()
                .map(command -> decided(job, command))
                .toList();
    }

    private static Decided decided(String job, Command command) {
        return command.match(target -> decided(JournalCommand.SCALE_TO, job, numbers(target.workers())));
    }

    public static Snapshot snapshot(Policy policy, PolicyState state) {
        return Snapshot.newBuilder()
                .setPolicy(policy.name())
                .setPolicyVersion(policy.version())
                .setParameters(new TreeMap<>(policy.parameters()))
                .setState(PolicyStateText.write(state))
                .build();
    }

    /**
     * Where an entry stands in the journal.
     *
     * @param key the job, or {@code pool:} and the pool
     * @param sequence counted from 0 for each key
     * @param wall the same moment for people
     */
    public record Line(String key, String pool, long sequence, Instant at, Instant wall) {}

    /** The key of entries that are about a pool. */
    public static String key(String pool) {
        return Topics.poolKey(pool);
    }

    /** The job that an entry is about; empty: its pool. */
    public static Optional<String> job(JournalEntry entry) {
        return entry.getJob().equals(key(entry.getPool())) ? Optional.empty() : Optional.of(entry.getJob());
    }

    /** An entry of the journal. */
    public static JournalEntry entry(
            Line line,
            Observed seen,
            List<Decided> decided,
            String reason,
            Map<String, Double> numbers,
            Optional<Snapshot> snapshot) {
        return JournalEntry.newBuilder()
                .setJob(line.key())
                .setPool(line.pool())
                .setSequence(line.sequence())
                .setAtMillis(line.at().toEpochMilli())
                .setWallMillis(line.wall().toEpochMilli())
                .setObservation(seen)
                .setDecision(decided)
                .setReason(reason)
                .setNumbers(new TreeMap<>(numbers))
                .setSnapshot(snapshot.orElse(null))
                .build();
    }
}
