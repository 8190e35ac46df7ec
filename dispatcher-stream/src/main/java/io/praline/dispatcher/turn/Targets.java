package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.WallTime;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.JobRow.LocalTarget;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.policy.Counted;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.pool.PoolSize;
import io.praline.policy.pool.PoolSize.Need;
import io.praline.policy.pool.PoolSize.Size;
import io.praline.schema.ActuatorReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is told to those who start workers: how many a pool should have, and how many a trainer's host. Always the number
 * that there should be, and only when it is another than was told last, or than is followed.
 */
final class Targets {
    /** By then whoever carries a target out follows it. */
    private static final Duration HEARD = Duration.ofSeconds(5);

    private final Journal journal;
    private final WallTime wall;
    private final Outgoing out;

    Targets(Journal journal, WallTime wall, Outgoing out) {
        this.journal = journal;
        this.wall = wall;
        this.out = out;
    }

    void take(Pool pool, Instant at) {
        pool(pool, at);
        pool.jobs().values().forEach(job -> JobFault.in(job.id(), () -> local(pool, job, at)));
    }

    /** By whom the targets of the job's workers on its trainer's host are found; empty where the host is not known. */
    static Optional<String> subject(Job job) {
        return host(job).map(host -> subject(job, host));
    }

    private static String subject(Job job, String host) {
        return CommandWriter.subject(job.id(), host);
    }

    /** The host of the job's trainer; empty where it is not known. */
    static Optional<String> host(Job job) {
        return Optional.ofNullable(job.consumers().get(0))
                .map(ConsumerRow::host)
                .filter(host -> !host.isEmpty());
    }

    private void pool(Pool pool, Instant at) {
        List<Job> open = pool.open();
        List<Need> needs = open.stream()
                .map(job -> JobFault.in(job.id(), () -> remote(pool, job)))
                .toList();
        int workers = pool.workersThatServe();
        int slotsEach = workers == 0 ? 1 : pool.slotsThatServe() / workers;
        PoolSize size = pool.size();
        int needed = size.needed(needs, slotsEach);
        Size before = new Size(pool.row().target(), pool.lessNeeded());
        Size next = size.next(before, needed, at);
        pool.lessNeeded(next.less());
        if (next.target() == before.target()) {
            return;
        }
        String reason = reason(pool, open.size(), next.target());
        pool.row(pool.row().withTarget(next.target()));
        tell(pool, CommandWriter.subject(pool.name()), next.target(), reason, at);
        Map<String, Double> seen =
                Map.of("jobs", (double) open.size(), "workers", (double) workers, "slotsEach", (double) slotsEach);
        journal.write(
                pool,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(JournalKind.POOL_NEEDS, pool.name(), seen),
                        DecisionWriter.decided(
                                JournalCommand.POOL_TARGET, pool.name(), Map.of("workers", (double) next.target())),
                        reason));
    }

    /**
     * Whoever starts workers of the pool, or on a trainer's host, says which target they follow. Where that is not the one
     * which was told some time ago, the record is lost, and nothing else would tell it again.
     */
    void followed(Pool pool, ActuatorReport report, Instant at) {
        String subject = report.getSubject();
        OptionalInt target = subject.equals(CommandWriter.subject(pool.name()))
                ? OptionalInt.of(pool.row().target())
                : local(pool, subject);
        boolean lately = pool.capacities()
                .targetTold(subject)
                .filter(then -> Duration.between(then, at).compareTo(HEARD) < 0)
                .isPresent();
        if (target.isPresent() && target.getAsInt() != report.getWanted() && !lately) {
            String reason =
                    "whoever starts workers of " + subject + " still follows another target, " + report.getWanted();
            tell(pool, subject, target.getAsInt(), reason, at);
        }
    }

    /** The target of a job on a host, none where its trainer is on another one; empty where the pool has no such job. */
    private static OptionalInt local(Pool pool, String subject) {
        int end = subject.lastIndexOf('@');
        Job job = end < 0 ? null : pool.jobs().get(subject.substring(0, end));
        if (job == null) {
            return OptionalInt.empty();
        }
        LocalTarget told = job.row().localTarget();
        boolean here = told.host()
                .map(host -> subject(job, host))
                .filter(subject::equals)
                .isPresent();
        return OptionalInt.of(here ? told.workers() : 0);
    }

    private static String reason(Pool pool, int jobs, int target) {
        PoolSize size = pool.size();
        if (jobs == 0) {
            return target == 0
                    ? "no job of pool " + pool.name() + " has been open for "
                            + size.grace().toSeconds() + " s"
                    : "pool " + pool.name() + " keeps " + Counted.of(target, "worker") + " though no job is open";
        }
        String bounded = target == size.maximum() ? ", the most that it may have" : "";
        String open = jobs == 1
                ? "the open job of pool " + pool.name() + " needs "
                : "the " + jobs + " open jobs of pool " + pool.name() + " need ";
        return open + Counted.of(target, "worker") + bounded;
    }

    /** What the job needs of its pool: also whoever is not done with it, so that no worker is stopped that drains. */
    private static Need remote(Pool pool, Job job) {
        Terms.Limits limits = job.leading().state().terms().limits();
        if (!job.planned() || job.epochs().isEmpty()) {
            boolean may = limits.maxRemote() > 0 && !job.leading().state().capReached();
            return new Need(may ? 1 : 0, false);
        }
        int wish = Wish.of(pool, job).map(Wish::remote).orElse(0);
        int serving = Wish.serving(pool, job).remote();
        return new Need(Math.max(wish, serving), job.leading().elastic());
    }

    /** What is told to whoever starts workers on the job's trainer's host. */
    void local(Pool pool, Job job, Instant at) {
        LocalTarget told = job.row().localTarget();
        Optional<String> host = host(job).or(told::host);
        int target = locals(pool, job);
        if (host.isEmpty() || (target == told.workers() && (target == 0 || host.equals(told.host())))) {
            return;
        }
        told.host()
                .filter(before -> told.workers() > 0 && !host.get().equals(before))
                .ifPresent(before ->
                        tell(pool, subject(job, before), 0, "its client is on host " + host.get() + " now", at));
        String reason = job.ended()
                ? "job " + job.id() + " has ended"
                : "job " + job.id() + " needs " + Counted.of(target, "worker") + " on its trainer's host";
        job.row().localTarget(new LocalTarget(host, target));
        job.changed();
        tell(pool, subject(job, host.get()), target, reason, at);
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                JournalKind.LOCAL_NEEDS, job.id(), Map.of("told", (double) told.workers())),
                        DecisionWriter.decided(
                                JournalCommand.LOCAL_TARGET, subject(job, host.get()), Map.of("workers", (double)
                                        target)),
                        reason));
    }

    private static int locals(Pool pool, Job job) {
        Terms.Limits limits = job.leading().state().terms().limits();
        boolean mayPlan = job.planned() || !job.leading().state().capReached();
        if (job.ended() || limits.maxLocal() == 0 || !mayPlan) {
            return 0;
        }
        if (!job.planned() || job.epochs().isEmpty()) {
            // somebody must plan it
            return limits.maxRemote() == 0 ? 1 : 0;
        }
        Target serving = Wish.serving(pool, job);
        boolean couldUse = !job.row().paused() && Epochs.left(job, Epochs.front(job)) > 0;
        int wanted = (int) Math.min(job.wanted().local(), job.splits());
        return Math.max(serving.local(), couldUse ? wanted : 0);
    }

    private void tell(Pool pool, String subject, int workers, String reason, Instant at) {
        pool.capacities().targetTold(subject, at);
        out.target(CommandWriter.target(subject, workers, reason, wall.of(at)));
    }
}
