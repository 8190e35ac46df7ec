package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.WaitingFor;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.JobRow.Standing;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.Doubt;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.progress.Beats;
import io.praline.policy.Counted;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.schema.ActuatorReport;
import io.praline.schema.ConsumerState;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Where an open job is, and what it waits for. */
final class JobStanding {
    private JobStanding() {}

    /** Shows the job where it is. */
    static void stand(Pool pool, Job job, Instant at) {
        if (job.ended()) {
            return;
        }
        Standing before = job.row().standing();
        Standing now = standing(pool, job, at);
        boolean same = before.state() == now.state()
                && before.waitingFor().equals(now.waitingFor())
                && before.reason().equals(now.reason());
        if (!same) {
            // what it waits for is the same, whatever is found out about it meanwhile
            boolean stays = before.state() == now.state() && before.waitingFor().equals(now.waitingFor());
            job.row().standing(stays ? now.since(before.since()) : now);
            job.changed();
            job.tell(Job.Telling.NOW);
        }
    }

    private static Standing standing(Pool pool, Job job, Instant at) {
        Standing now = asItSeems(pool, job, at);
        return job.movement()
                .obstacle()
                .filter(stuck -> Stuck.shouldMove(now))
                .map(stuck -> new Standing(now.state(), now.waitingFor(), stuck, now.failure(), at))
                .orElse(now);
    }

    private static Standing asItSeems(Pool pool, Job job, Instant at) {
        if (!job.planned()) {
            if (job.row().planning().planner().isPresent()) {
                return Standing.at(JobState.PLANNING, at);
            }
            return job.leading().state().capReached() ? capped(job, at) : nobody(pool, job, at);
        }
        Optional<String> nobody = noConsumer(job, at);
        if (nobody.isPresent() && !job.row().paused()) {
            return waitingFor(WaitingFor.CONSUMER, nobody.get(), at);
        }
        Optional<String> others = Consumers.comes(job, at);
        if (others.isPresent() && !job.row().paused()) {
            return waitingFor(WaitingFor.CONSUMERS, others.get(), at);
        }
        if (Lanes.doubtful(job) && readToItsEnd(job, at)) {
            return waitingFor(WaitingFor.DOUBT, doubt(job), at);
        }
        Optional<String> avoided = job.unreachable().why();
        if (served(pool, job)) {
            return running(job, avoided, at);
        }
        boolean reachable = avoided.isEmpty()
                || job.row().paused()
                || pool.workersFor(job).findAny().isPresent();
        return reachable ? waiting(pool, job, at) : waitingFor(WaitingFor.WORKERS, avoided.get(), at);
    }

    private static Standing waitingFor(WaitingFor what, String reason, Instant at) {
        return Standing.waiting(what.text(), reason, at);
    }

    private static Standing running(Job job, Optional<String> avoided, Instant at) {
        if (job.beats().waiting().isEmpty() && avoided.isEmpty()) {
            return Standing.at(JobState.RUNNING, at);
        }
        List<String> kept = job.beats().waiting().stream()
                .filter(one -> job.open().stream()
                        .anyMatch(epoch ->
                                epoch.epoch() == one.epoch() && taking(epoch).contains(one.attempt())))
                .map(Beats.Waiting::why)
                .toList();
        int all = job.open().stream().mapToInt(epoch -> taking(epoch).size()).sum();
        if (!kept.isEmpty() && kept.size() == all) {
            return waitingFor(WaitingFor.STORAGE, kept.get(0), at);
        }
        return avoided.or(() -> kept.stream().findFirst())
                .map(why -> new Standing(JobState.RUNNING, "", why, FailureKind.NONE, at))
                .orElseGet(() -> Standing.at(JobState.RUNNING, at));
    }

    private static SortedSet<Integer> taking(EpochLedger epoch) {
        return epoch.attemptsIn(State.TAKING);
    }

    /** Why nobody takes its batches; empty where somebody does, or where those that it was submitted for may still come. */
    private static Optional<String> noConsumer(Job job, Instant at) {
        boolean early = job.consumers().isEmpty()
                && Duration.between(job.row().submittedAt(), at).compareTo(Consumers.COMING) < 0;
        if (early || Lanes.anyOpen(job) || finishes(job)) {
            return Optional.empty();
        }
        if (job.consumers().isEmpty()) {
            return Optional.of("no consumer came");
        }
        String lost = Lanes.doubtful(job) ? "; " + doubt(job) : "";
        return Optional.of("it has no consumer: let one come (run --attach " + job.id() + ")" + lost);
    }

    /** Why a job fails that waited for a consumer in vain, with all that is in doubt: nothing else tells of that any more. */
    static String nobodyCame(Job job, Duration within) {
        if (job.consumers().isEmpty()) {
            return "no consumer came within " + within.toSeconds() + " s";
        }
        StringBuilder why = new StringBuilder("it had no consumer, and none came within " + within.toSeconds() + " s");
        job.consumers().forEach((consumer, place) -> {
            Doubt doubt = job.tracked() && job.heard().doubts(place) ? Lanes.inDoubt(job, place) : Doubt.NONE;
            if (!doubt.equals(Doubt.NONE)) {
                why.append("; of consumer " + consumer + ", which was lost, " + doubt
                        + " are in doubt: they were sent to it, and it did not report them");
            }
        });
        return why.toString();
    }

    /** Whether some are there that have taken all, and nothing came back since. */
    private static boolean finishes(Job job) {
        return job.places().values().stream().anyMatch(ConsumerRow::here) && Epochs.allDelivered(job);
    }

    /** Whether nothing is left to read but what is in doubt. */
    private static boolean readToItsEnd(Job job, Instant at) {
        return job.epochs().size() == job.allEpochs()
                && job.open().stream()
                        .allMatch(epoch -> epoch.row().assigned() == job.splits()
                                && Epochs.left(job, epoch) == 0
                                && epoch.attemptsIn(State.TAKING).stream()
                                        .allMatch(attempt -> SplitAssignment.ahead(job, epoch, attempt, at) == 0));
    }

    private static String doubt(Job job) {
        String lost = doubtful(job, place -> place.state() == ConsumerState.IN_DOUBT);
        if (lost.isEmpty()) {
            // it ends by itself: whoever gave such a consumer up would lower what the job promises for nothing
            String before = doubtful(job, place -> place.state() != ConsumerState.IN_DOUBT);
            return "what the process had that was consumer " + before + " before is held back until it tells what it"
                    + " did with that, or its lease is over";
        }
        return "what was sent to consumer " + lost + " and not reported is in doubt: it must come back, or be given up"
                + " (praline job " + job.id() + " --give-up CONSUMER)";
    }

    private static String doubtful(Job job, Predicate<ConsumerRow> which) {
        return job.consumers().entrySet().stream()
                .filter(each -> job.heard().doubts(each.getValue()) && which.test(each.getValue()))
                .map(each -> Integer.toString(each.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static boolean served(Pool pool, Job job) {
        for (EpochLedger epoch : job.open()) {
            if (served(pool, epoch, State.TAKING)
                    || served(pool, epoch, State.DRAINING)
                    || served(pool, epoch, State.ENDED)) {
                return true;
            }
        }
        return false;
    }

    private static boolean served(Pool pool, EpochLedger epoch, State state) {
        for (int attempt : epoch.attemptsIn(state)) {
            if (pool.alive(epoch.place(attempt))) {
                return true;
            }
        }
        return false;
    }

    private static Standing waiting(Pool pool, Job job, Instant at) {
        if (job.row().paused()) {
            return waitingFor(WaitingFor.PAUSED, "it is paused", at);
        }
        Target wanted = job.wanted();
        boolean left = job.open().stream().anyMatch(epoch -> Epochs.left(job, epoch) > 0);
        if (left && wanted.workers() == 0 && job.leading().state().capReached()) {
            return capped(job, at);
        }
        if (left && wanted.workers() == 0) {
            String why = job.leading().why().orElse("its policy wants no worker now");
            return waitingFor(WaitingFor.POLICY, why, at);
        }
        boolean remote = wanted.remote() > 0;
        if (pool.localWorkers(job).isEmpty() && (remote ? pool.workersThatServe() == 0 : wanted.local() > 0)) {
            return nobody(pool, job, at);
        }
        if (left && !(job.singleTask() && Wish.ends(job))) {
            String bound = pool.full()
                    ? ", and it may have no more than " + Counted.of(pool.size().maximum(), "worker")
                    : "";
            int slots = pool.slotsThatServe();
            String all = (slots == 1 ? "the only slot" : "all " + slots + " slots") + " of pool " + pool.name()
                    + Counted.word(slots, " serves another job", " serve other jobs") + bound;
            return obstacle(pool, Optional.of(CommandWriter.subject(pool.name())))
                    .map(why -> waitingFor(WaitingFor.CAPACITY, all + ", and no more can be started: " + why, at))
                    .orElseGet(() -> waitingFor(WaitingFor.SLOTS, all, at));
        }
        boolean fenced = job.open().stream()
                .anyMatch(epoch -> !epoch.attemptsIn(State.FENCED).isEmpty());
        String reason = fenced
                ? "its consumers must tell what they took from a worker that was lost"
                : "its consumers must acknowledge what they hold";
        return waitingFor(WaitingFor.CONSUMERS, reason, at);
    }

    /** By the amounts of the caps, which stay as they are while it waits. */
    private static Standing capped(Job job, Instant at) {
        PolicyState state = job.leading().state();
        String why = state.tenant().capReached()
                ? String.format(
                        Locale.ROOT,
                        "the jobs of tenant %s have spent the tenant's cap of %.4f: they go on when a job raises it",
                        job.submit().getTenant(),
                        state.tenant().cap())
                : String.format(
                        Locale.ROOT,
                        "it has spent its cap of %.4f: it may have no worker any more",
                        state.terms().cap());
        return waitingFor(WaitingFor.CAP, why, at);
    }

    private static Standing nobody(Pool pool, Job job, Instant at) {
        boolean localOnly = job.planned()
                ? job.wanted().remote() == 0 && job.wanted().local() > 0
                : job.leading().state().terms().limits().maxRemote() == 0;
        Optional<String> subject = localOnly ? Targets.subject(job) : Optional.of(CommandWriter.subject(pool.name()));
        String who = localOnly ? "no worker on its trainer's host" + host(job) : nobody(pool);
        return obstacle(pool, subject)
                .map(why -> waitingFor(WaitingFor.CAPACITY, who + ", and none can be started: " + why, at))
                .orElseGet(() -> waitingFor(WaitingFor.WORKERS, who, at));
    }

    private static String host(Job job) {
        return Targets.host(job).map(host -> " " + host).orElse("");
    }

    private static String nobody(Pool pool) {
        boolean any = pool.workers().values().stream()
                .anyMatch(worker -> worker.row().onlyFor().isEmpty());
        return any ? "every worker of pool " + pool.name() + " is about to leave" : "no worker in pool " + pool.name();
    }

    /** Why whoever starts workers cannot start more, as it told. */
    private static Optional<String> obstacle(Pool pool, Optional<String> subject) {
        return subject.flatMap(pool.capacities()::of)
                .filter(report -> report.getRunning() < report.getWanted())
                .map(ActuatorReport::getReason)
                .filter(reason -> !reason.isBlank());
    }
}
