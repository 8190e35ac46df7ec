package io.praline.dispatcher.turn;

import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.policy.Target;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a job can use now of what its policy wants, in the epoch that began last.
 *
 * @param remote workers of the pool
 * @param local workers on its trainer's host: those that came first
 */
record Wish(int remote, List<String> local) {
    private static final Wish NOBODY = new Wish(0, List.of());

    Wish {
        local = List.copyOf(local);
    }

    /** Empty where nothing is left to assign, so that whoever works for it goes on to the end of what it has. */
    static Optional<Wish> of(Pool pool, Job job) {
        if (job.row().paused()) {
            return Optional.of(NOBODY);
        }
        EpochLedger front = Epochs.front(job);
        long left = Epochs.left(job, front);
        if (left == 0 || front.row().complete()) {
            return Optional.empty();
        }
        Target wanted = job.wanted();
        List<String> local = pool.localWorkers(job).stream()
                .map(worker -> worker.place().worker())
                .limit(wanted.local())
                .toList();
        long running = front.attemptsIn(State.TAKING).size();
        if (job.singleTask()) {
            return single(pool, job, wanted, local, running);
        }
        long most = running + left;
        List<String> used = local.subList(0, (int) Math.min(most, local.size()));
        return Optional.of(new Wish((int) Math.min(wanted.remote(), most - used.size()), used));
    }

    /** Whether a task of the job is not over yet that was told to end: one that reads alone is followed by none before that. */
    static boolean ends(Job job) {
        return job.open().stream()
                .anyMatch(epoch -> !epoch.attemptsIn(State.DRAINING).isEmpty()
                        || epoch.attemptsIn(State.FENCED).stream()
                                .map(attempt -> epoch.attempts().get(attempt))
                                .anyMatch(row -> row.end().isEmpty() && !Lanes.waitsForLost(job, row)));
    }

    /** The one task stays where it is while that is wanted; elsewhere another begins only when it has ended. */
    private static Optional<Wish> single(Pool pool, Job job, Target wanted, List<String> local, long running) {
        if (running == 0) {
            if (ends(job)) {
                return Optional.empty();
            }
            return Optional.of(
                    local.isEmpty()
                            ? new Wish(Math.min(1, wanted.remote()), List.of())
                            : new Wish(0, local.subList(0, 1)));
        }
        List<String> kept = holders(pool, job).filter(local::contains).toList();
        boolean remote = holders(pool, job).anyMatch(pool::isRemote) && wanted.remote() > 0;
        return Optional.of(remote ? new Wish(1, List.of()) : new Wish(0, kept));
    }

    /** Workers that take work of the job's newest epoch and are there. */
    static Stream<String> holders(Pool pool, Job job) {
        EpochLedger front = Epochs.front(job);
        return front.attemptsIn(State.TAKING).stream()
                .map(front::place)
                .filter(pool::alive)
                .map(Place::worker);
    }

    /** Tasks of the job on its trainer's host. */
    static int localTasks(Pool pool, Job job) {
        EpochLedger front = Epochs.front(job);
        SortedSet<Integer> taking = front.attemptsIn(State.TAKING);
        long tasks = pool.boundTo(job)
                .flatMap(worker -> front.attemptsAt(worker.place()).stream())
                .filter(attempt -> taking.contains(attempt))
                .count();
        return (int) Math.max(1, tasks);
    }

    /** Those of them that belong to the pool. */
    static SortedSet<String> remoteHolders(Pool pool, Job job) {
        SortedSet<String> holders = new TreeSet<>();
        holders(pool, job).filter(pool::isRemote).forEach(worker -> holders.add(worker));
        return holders;
    }

    /** Whether it holds a worker of the pool. */
    static boolean holdsRemote(Pool pool, Job job) {
        return holders(pool, job).anyMatch(pool::isRemote);
    }

    /** Workers that are not done with the job: they take its work, drain, or wait until it is consumed. */
    static Target serving(Pool pool, Job job) {
        SortedSet<String> busy = new TreeSet<>();
        for (EpochLedger epoch : job.open()) {
            for (int attempt : epoch.attempts().keySet()) {
                boolean live = epoch.attempts().get(attempt).fence().isEmpty() && pool.alive(epoch.place(attempt));
                if (live) {
                    busy.add(epoch.place(attempt).worker());
                }
            }
        }
        int remote = (int) busy.stream().filter(pool::isRemote).count();
        return new Target(remote, busy.size() - remote);
    }
}
