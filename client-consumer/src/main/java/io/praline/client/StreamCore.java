package io.praline.client;

import io.praline.client.metrics.BatchClaims;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.stream.Coverage;
import io.praline.client.stream.CreditShare;
import io.praline.client.stream.Frame;
import io.praline.client.stream.ReadyFrames;
import io.praline.client.stream.StreamTotals;
import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptPlace;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Component;
import io.praline.schema.Confirmation;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stream of batches without Kafka, sockets, threads or clocks: what came, what was handed out, what the loop gets next,
 * what must be told. Batches, ends and losses come from channels, the job's status from its watch; one training loop
 * takes. All under one lock, which is never held while something outside is waited for.
 *
 * <p><b>Order.</b> Within an epoch as batches arrive, but those of local workers before those of remote ones. A batch of a later epoch waits until the one before is over: no
 * attempt of it that can still deliver, and
 *
 * <pre>
 *   the ledger says that it is complete, or
 *   an attempt's END says that with it the epoch is over, and none was lost since that attempt became known, or
 *   the job has attempts of a later epoch and none of this one, and none of it was lost
 * </pre>
 *
 * What a failure brings late of an older epoch goes before all else, whatever was handed out in the meantime.
 *
 * <p><b>End.</b> An attempt's END says that with it the stream is over, all others ended too, and none was lost since that
 * attempt became known; or the job completed. What a lost attempt owed is read again by another, so that an END from before
 * is no last word: then the ledger's is waited for.
 *
 * <p>Times are {@code System.nanoTime} of whoever calls.
 */
final class StreamCore {
    /** What the loop's question finds. */
    enum Turn {
        /** A batch is set aside for the loop. */
        READY,
        /** Nothing yet. */
        WAIT,
        /** Nothing any more. */
        OVER
    }

    /** What the core wants done. Called under its lock, so it returns at once. */
    interface Effects {
        /** Dial the attempt's worker with this credit window. */
        void open(AttemptKey attempt, AttemptPlace place, long windowBytes);

        /** Nothing more is wanted from this attempt. */
        void close(AttemptKey attempt);

        /** Something is to be told that somebody waits for: call {@link StreamCore#tick} soon. */
        void hurry();

        /** The loop cannot go on before the next status. */
        void awaitsNews();
    }

    /** What is to be sent now, in this order. */
    record Outgoing(List<ConsumptionReport> reports, Optional<ClientHeartbeat> beat) {}

    private final String job;
    private final StreamSettings settings;
    private final ConsumptionReporter reporter;
    private final DemandReporter demand;
    private final Coverage coverage;
    private final Effects effects;
    private final CreditShare credit;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int waiters;

    private final Map<AttemptKey, Source> sources = new HashMap<>();
    private final TreeMap<Integer, ReadyFrames> inbox = new TreeMap<>();
    /** By epoch: the attempt whose END said that with it the epoch is over. */
    private final Map<Integer, Source> closers = new HashMap<>();

    /** By epoch: the number of the status that told of the last loss. */
    private final Map<Integer, Long> losses = new HashMap<>();

    /** Statuses followed so far. */
    private long statuses;

    /** Incarnations of listed workers of which a batch came. */
    private final Set<String> serving = new HashSet<>();

    private final Set<String> workersLocal = new HashSet<>();
    private final Set<String> workersRemote = new HashSet<>();
    private Optional<JobStatus> status = Optional.empty();
    private ComponentNames names = new ComponentNames(List.of());
    private int oldestEpoch;

    // the frame that is being taken apart, and the part of it that is set aside for the loop
    private Frame current;
    private Frame aside;
    private int asidePart;
    private boolean asideClaimed;
    private Batch previous;
    private long ready;

    private Source last;
    private boolean leaseOver;
    private boolean completed;
    private boolean cancelling;
    private boolean over;
    private boolean closed;
    private JobFailed failure;

    private long elements;
    private long untrackedElements;
    private long batches;
    private long bytes;
    private long firstNanos;
    private long lastNanos;
    private long endWaitNanos;

    StreamCore(
            String job,
            StreamSettings settings,
            ConsumptionReporter reporter,
            DemandReporter demand,
            Coverage coverage,
            Effects effects) {
        this.job = job;
        this.settings = settings;
        this.reporter = reporter;
        this.demand = demand;
        this.coverage = coverage;
        this.effects = effects;
        this.credit = new CreditShare(settings.memoryBytes());
    }

    // ---- what the loop asks

    /**
     * What there is for the loop; what it had before is acknowledged by the question, unless it does that itself.
     *
     * @throws JobFailed if the job will not complete
     * @throws IllegalStateException if the stream is closed
     */
    Turn turn() {
        lock.lock();
        try {
            return turnLocked();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #turn}, but waits until there is a batch or there will be none. */
    Turn await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Turn turn = turnLocked();
            while (turn == Turn.WAIT) {
                waiters++;
                try {
                    changed.await();
                } finally {
                    waiters--;
                }
                turn = turnLocked();
            }
            return turn;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Hands the batch that is set aside to the loop, which claims it.
     *
     * @param waitedNanos how long the loop waited for it
     * @throws JobFailed if the job failed since the batch was set aside
     */
    Batch take(long nowNanos, long waitedNanos) {
        lock.lock();
        try {
            if (aside == null) {
                // the job may have failed since the batch was promised
                requireNotFailed();
                throw new IllegalStateException("no batch is set aside");
            }
            Frame frame = aside;
            int part = asidePart;
            if (!asideClaimed) {
                claim(frame, part);
            }
            aside = null;
            count(frame, part, nowNanos, waitedNanos);
            Batch batch = new Batch(this, frame, part, names);
            previous = batch;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** The loop is done with a batch. */
    void acknowledge(Batch batch) {
        lock.lock();
        try {
            acknowledgeLocked(batch);
        } finally {
            lock.unlock();
        }
    }

    long elements(Batch batch) {
        lock.lock();
        try {
            return batch.frame().claims().elements(batch.part());
        } finally {
            lock.unlock();
        }
    }

    long[] tickets(Batch batch) {
        lock.lock();
        try {
            BatchClaims claims = batch.frame().claims();
            int from = claims.firstTicket(batch.part());
            int until = batch.part() + 1 == batch.frame().parts()
                    ? claims.tickets().length
                    : claims.firstTicket(batch.part() + 1);
            return Arrays.copyOfRange(claims.tickets(), from, until);
        } finally {
            lock.unlock();
        }
    }

    /** How long the loop waited to hear that the stream is over. */
    void endWaited(long nanos) {
        lock.lock();
        try {
            endWaitNanos = nanos;
        } finally {
            lock.unlock();
        }
    }

    // ---- what comes from channels

    /** A batch came; it is taken over. */
    void batch(Frame frame) {
        lock.lock();
        try {
            Source source = sources.get(frame.attempt());
            if (source == null || !source.delivers() || ended() || frame.sequence() < source.nextSequence) {
                frame.close(frame.parts());
                return;
            }
            if (frame.sequence() > source.nextSequence) {
                frame.close(frame.parts());
                lost(source, "batch " + frame.sequence() + " came where " + source.nextSequence + " was due");
                return;
            }
            source.nextSequence++;
            source.waiting++;
            ready += frame.parts();
            inbox.computeIfAbsent(frame.attempt().epoch(), epoch -> new ReadyFrames())
                    .add(frame, source.place.getLocal());
            serves(source.place);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** No batch of this attempt follows. */
    void end(AttemptKey attempt, long lastSequence, EndOf of) {
        lock.lock();
        try {
            Source source = sources.get(attempt);
            if (source == null || !source.delivers() || ended()) {
                return;
            }
            if (lastSequence != source.nextSequence - 1) {
                lost(source, "it ended with batch " + lastSequence + " where " + source.nextSequence + " was due");
                return;
            }
            source.ended = true;
            switch (of) {
                case ATTEMPT -> {}
                case EPOCH -> closers.put(attempt.epoch(), source);
                case JOB -> {
                    closers.put(attempt.epoch(), source);
                    last = source;
                }
            }
            finishIfDrained(source);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** The attempt's worker cannot be reached any more. */
    void down(AttemptKey attempt, String reason) {
        lock.lock();
        try {
            Source source = sources.get(attempt);
            if (source != null && source.delivers() && !ended()) {
                lost(source, reason);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The attempt's worker does not want the channel. */
    void refused(AttemptKey attempt, RefusalCode code, String reason) {
        lock.lock();
        try {
            Source source = sources.get(attempt);
            if (source == null || !source.delivers() || ended()) {
                return;
            }
            String said = "worker " + source.place.getWorker() + ": " + reason;
            switch (code) {
                case TOKEN, VERSION, UNKNOWN_CONSUMER -> fail(FailureKind.REFUSED, said);
                case REPLACED ->
                    fail(
                            FailureKind.FAILED,
                            "another process reads as its consumer " + settings.consumer() + ", " + said);
                // the dispatcher knows by the worker's own beat, and says what follows
                case FAILED, CLOSED -> source.down = true;
                case UNKNOWN_ATTEMPT, INCARNATION, OUT_OF_STEP, BUSY -> lost(source, said);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- what comes from the watch

    /** The job's newest status. */
    void status(JobStatus newest, long nowNanos) {
        lock.lock();
        try {
            if (settings.owner() && !newest.getRequester().equals(settings.incarnation())) {
                fail(FailureKind.REFUSED, "job id " + job + " is used already; choose another");
                return;
            }
            status = Optional.of(newest);
            confirm(newest, nowNanos);
            for (EpochProgress epoch : newest.getProgress()) {
                if (epoch.getComplete()) {
                    coverage.complete(epoch.getEpoch());
                }
            }
            if (!ended()) {
                follow(newest);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The job's status cannot be learned any more. */
    void failed(RuntimeException cause) {
        lock.lock();
        try {
            if (failure == null) {
                failure = new JobFailed(job, FailureKind.FAILED, String.valueOf(cause.getMessage()));
                failure.initCause(cause);
                discardAll();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- what the shell asks

    /** Time has passed: what is to be sent. */
    Outgoing tick(long nowNanos) {
        lock.lock();
        try {
            if (reporter.leaseOver(nowNanos) != leaseOver) {
                leaseOver = !leaseOver;
                changed.signalAll();
            }
            return new Outgoing(reporter.due(nowNanos), demand.due(nowNanos));
        } finally {
            lock.unlock();
        }
    }

    /** Kafka did not take a report. */
    void reportFailed(long reportSequence) {
        lock.lock();
        try {
            reporter.failed(reportSequence);
        } finally {
            lock.unlock();
        }
    }

    ClientHeartbeat farewell(long nowNanos) {
        lock.lock();
        try {
            return demand.farewell(nowNanos);
        } finally {
            lock.unlock();
        }
    }

    /** From here on CANCELLED is what was asked for. */
    void cancelling() {
        lock.lock();
        try {
            cancelling = true;
        } finally {
            lock.unlock();
        }
    }

    Optional<JobStatus> status() {
        lock.lock();
        try {
            return status;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the loop was told that nothing follows. */
    boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the job may still be running, and is this process's own. */
    boolean isCancellable() {
        lock.lock();
        try {
            return settings.owner()
                    && !isFinal()
                    && status.map(known -> known.getRequester().equals(settings.incarnation()))
                            .orElse(failure == null);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the job has ended and so its ledger is final; false if that takes longer. */
    boolean awaitFinal(long timeoutNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long rest = timeoutNanos;
            while (rest > 0 && failure == null && !isFinal()) {
                rest = changed.awaitNanos(rest);
            }
            return isFinal();
        } finally {
            lock.unlock();
        }
    }

    /** @throws JobFailed if the job did, also where the loop has had all of its batches */
    void requireNotFailed() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    StreamTotals totals() {
        lock.lock();
        try {
            if (current != null) {
                cover(current);
            }
            return new StreamTotals(
                    elements,
                    untrackedElements,
                    batches,
                    bytes,
                    firstNanos,
                    lastNanos,
                    endWaitNanos,
                    workersLocal.size(),
                    workersRemote.size());
        } finally {
            lock.unlock();
        }
    }

    /** The loop wants nothing more: all that it did not take is given back. */
    void close() {
        lock.lock();
        try {
            closed = true;
            if (aside != null) {
                aside.close(1);
                aside = null;
            }
            discardAll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- under the lock

    private Turn turnLocked() {
        if (failure != null) {
            throw failure;
        }
        if (closed) {
            throw new IllegalStateException("the stream of job " + job + " is closed");
        }
        if (aside != null) {
            return Turn.READY;
        }
        if (previous != null && !settings.manualAcknowledge()) {
            acknowledgeLocked(previous);
        }
        previous = null;
        if (over) {
            return Turn.OVER;
        }
        if (leaseOver) {
            return Turn.WAIT;
        }
        if (current == null) {
            current = next();
        }
        if (current != null) {
            aside = current;
            asidePart = current.offer();
            asideClaimed = false;
            if (current.allOffered()) {
                current = null;
            }
            return Turn.READY;
        }
        if (completed || nothingFollows()) {
            over = true;
            hurry();
            return Turn.OVER;
        }
        return Turn.WAIT;
    }

    /** The frame that is due, out of the inbox; null while there is none. */
    private Frame next() {
        while (!inbox.isEmpty()) {
            int epoch = inbox.firstKey();
            if (settings.strictEpochs()) {
                while (oldestEpoch < epoch && isEpochOver(oldestEpoch)) {
                    oldestEpoch++;
                }
                if (oldestEpoch < epoch) {
                    // the ledger is waited for: let it know what it lacks
                    hurry();
                    effects.awaitsNews();
                    return null;
                }
            }
            ReadyFrames frames = inbox.get(epoch);
            Optional<Frame> frame = frames.poll();
            if (frames.isEmpty()) {
                inbox.remove(epoch);
            }
            if (frame.isPresent()) {
                return frame.get();
            }
        }
        return null;
    }

    private boolean isEpochOver(int epoch) {
        for (Source source : sources.values()) {
            if (source.key.epoch() == epoch && !source.isDrained()) {
                return false;
            }
        }
        JobStatus known = status.orElseThrow();
        boolean complete =
                known.getProgress().stream().anyMatch(each -> each.getEpoch() == epoch && each.getComplete());
        if (complete) {
            return true;
        }
        Source closer = closers.get(epoch);
        if (closer != null && closer.knownAt > losses.getOrDefault(epoch, 0L)) {
            return true;
        }
        boolean later = known.getAttempts().stream().anyMatch(place -> place.getEpoch() > epoch);
        boolean listed = known.getAttempts().stream().anyMatch(place -> place.getEpoch() == epoch);
        return later && !listed && !losses.containsKey(epoch);
    }

    private boolean nothingFollows() {
        return last != null
                && last.knownAt
                        > losses.values().stream()
                                .mapToLong(Long::longValue)
                                .max()
                                .orElse(0)
                && inbox.isEmpty()
                && sources.values().stream().allMatch(Source::isDrained);
    }

    private void claim(Frame frame, int part) {
        BatchClaims claims = frame.claims();
        claims.claim();
        reporter.changed(claims);
        if (part + 1 == frame.parts()) {
            cover(frame);
            Source source = sources.get(frame.attempt());
            if (source != null) {
                source.waiting--;
                finishIfDrained(source);
            }
        }
    }

    private void acknowledgeLocked(Batch batch) {
        if (batch.acknowledgeOnce()) {
            BatchClaims claims = batch.frame().claims();
            claims.acknowledge(batch.part());
            reporter.changed(claims);
        }
    }

    private void count(Frame frame, int part, long nowNanos, long waitedNanos) {
        BatchClaims claims = frame.claims();
        long partElements = claims.elements(part);
        long partBytes = frame.bytes(part);
        if (batches == 0) {
            firstNanos = nowNanos;
        }
        lastNanos = nowNanos;
        batches++;
        elements += partElements;
        bytes += partBytes;
        if (!claims.tracked()) {
            untrackedElements += partElements;
        }
        demand.taken(nowNanos, partElements, partBytes, waitedNanos, ready);
        ready--;
    }

    /** Counts what of the frame was claimed and not counted yet. */
    private void cover(Frame frame) {
        BatchClaims claims = frame.claims();
        int until = claims.claimed();
        int from = frame.countedUpTo(until);
        int untilTicket = until == frame.parts() ? claims.tickets().length : claims.firstTicket(until);
        coverage.add(frame.attempt().epoch(), claims.tickets(), claims.firstTicket(from), untilTicket);
    }

    private void finishIfDrained(Source source) {
        if (source.isDrained()) {
            reporter.ended(source.key);
            release(source);
            effects.hurry();
        }
    }

    private void lost(Source source, String reason) {
        source.down = true;
        reporter.channelDown(source.key, source.place.getIncarnation(), reason);
        release(source);
        effects.hurry();
    }

    private void release(Source source) {
        if (source.open) {
            source.open = false;
            credit.close(source.windowBytes);
            effects.close(source.key);
        }
    }

    private void confirm(JobStatus newest, long nowNanos) {
        for (Confirmation confirmation : newest.getConfirmed()) {
            if (confirmation.getConsumer() == settings.consumer()
                    && confirmation.getIncarnation().equals(settings.incarnation())) {
                reporter.confirmed(confirmation.getReportSequence());
            }
        }
        leaseOver = reporter.leaseOver(nowNanos);
    }

    private void follow(JobStatus newest) {
        if (!newest.getComponents().isEmpty()) {
            names = new ComponentNames(
                    newest.getComponents().stream().map(Component::getName).toList());
        }
        if (newest.getPlan() > 0 && settings.consumer() >= newest.getConsumers()) {
            fail(
                    FailureKind.REFUSED,
                    "it has " + newest.getConsumers() + " consumers, and no number " + settings.consumer());
            return;
        }
        switch (newest.getState()) {
            case PLANNING, WAITING, RUNNING -> followAttempts(newest);
            case COMPLETED -> {
                completed = true;
                discardAll();
            }
            case FAILED ->
                fail(
                        newest.getFailure() == FailureKind.NONE ? FailureKind.FAILED : newest.getFailure(),
                        newest.getReason());
            case CANCELLED -> {
                if (cancelling) {
                    completed = true;
                    discardAll();
                } else {
                    fail(FailureKind.NONE, newest.getReason());
                }
            }
        }
    }

    private void followAttempts(JobStatus newest) {
        statuses++;
        Set<AttemptKey> listed = new HashSet<>();
        for (AttemptPlace place : newest.getAttempts()) {
            listed.add(key(place));
        }
        dropUnlisted(listed);
        for (AttemptPlace place : newest.getAttempts()) {
            followPlace(place, newest);
        }
        countTasks();
    }

    /** A batch of this worker came. */
    private void serves(AttemptPlace place) {
        (place.getLocal() ? workersLocal : workersRemote).add(place.getWorker());
        if (serving.add(place.getIncarnation())) {
            countTasks();
        }
    }

    // Tasks count from their worker's first batch: until then they change nothing for the loop. A worker that goes on
    // with
    // the next epoch, or with a new task, while it drains the one before has one task, not two.
    private void countTasks() {
        Set<String> local = new HashSet<>();
        Set<String> remote = new HashSet<>();
        Set<String> listed = new HashSet<>();
        for (AttemptPlace place : status.map(JobStatus::getAttempts).orElse(List.of())) {
            listed.add(place.getIncarnation());
            if (!place.getFenced() && serving.contains(place.getIncarnation())) {
                (place.getLocal() ? local : remote).add(place.getIncarnation());
            }
        }
        serving.retainAll(listed);
        demand.tasks(local.size(), remote.size());
    }

    private void followPlace(AttemptPlace place, JobStatus newest) {
        AttemptKey key = key(place);
        Source source = sources.get(key);
        boolean isNew = source == null;
        if (isNew) {
            source = new Source(key, place, statuses);
            sources.put(key, source);
        }
        if (place.getFenced()) {
            if (!source.fenced) {
                fence(source);
            }
        } else if (isNew) {
            source.open = true;
            long sharers = newest.getAttempts().stream()
                    .filter(other -> other.getEpoch() == place.getEpoch() && !other.getFenced())
                    .count();
            source.windowBytes = credit.open((int) sharers);
            effects.open(key, place, source.windowBytes);
        }
    }

    // an attempt leaves the status when its fence is answered by all, or when all of it is in the ledger; else this
    // consumer was given up, and what it holds may be on its way to others
    private void dropUnlisted(Set<AttemptKey> listed) {
        for (Iterator<Source> each = sources.values().iterator(); each.hasNext(); ) {
            Source source = each.next();
            if (listed.contains(source.key) || (source.ended && !source.isDrained() && !leaseOver)) {
                continue;
            }
            if (!source.fenced && !source.isDrained()) {
                losses.put(source.key.epoch(), statuses);
            }
            discard(source);
            release(source);
            each.remove();
        }
    }

    private void fence(Source source) {
        source.fenced = true;
        losses.put(source.key.epoch(), statuses);
        if (aside != null && !asideClaimed && aside.attempt().equals(source.key)) {
            // hasNext() has promised it to the loop
            claim(aside, asidePart);
            asideClaimed = true;
        }
        discard(source);
        release(source);
        reporter.fenceAnswered(source.key);
        effects.hurry();
    }

    private void discard(Source source) {
        if (current != null && current.attempt().equals(source.key)) {
            discardCurrent();
        }
        ReadyFrames frames = inbox.get(source.key.epoch());
        if (frames != null) {
            frames.removeIf(frame -> frame.attempt().equals(source.key), this::drop);
            if (frames.isEmpty()) {
                inbox.remove(source.key.epoch());
            }
        }
        source.waiting = 0;
    }

    private void discardAll() {
        discardCurrent();
        inbox.values().forEach(frames -> frames.removeIf(frame -> true, this::drop));
        inbox.clear();
        sources.values().forEach(this::release);
        sources.clear();
    }

    private void discardCurrent() {
        if (current != null) {
            cover(current);
            drop(current);
            current = null;
        }
    }

    private void drop(Frame frame) {
        ready -= frame.unoffered();
        frame.close(frame.unoffered());
    }

    private void fail(FailureKind kind, String reason) {
        failure = new JobFailed(job, kind, reason);
        if (aside != null) {
            aside.close(1);
            aside = null;
        }
        discardAll();
        changed.signalAll();
    }

    private void hurry() {
        reporter.hurry();
        if (reporter.urgent()) {
            effects.hurry();
        }
    }

    private void signal() {
        if (waiters > 0) {
            changed.signalAll();
        }
    }

    private boolean ended() {
        return closed || completed || failure != null;
    }

    private boolean isFinal() {
        return status.map(known -> isFinal(known.getState())).orElse(false);
    }

    static boolean isFinal(JobState state) {
        return switch (state) {
            case PLANNING, WAITING, RUNNING -> false;
            case COMPLETED, FAILED, CANCELLED -> true;
        };
    }

    private AttemptKey key(AttemptPlace place) {
        return new AttemptKey(job, place.getEpoch(), place.getAttempt());
    }

    private static final class Source {
        private final AttemptKey key;
        private final AttemptPlace place;
        /** The number of the status that told of it first. */
        private final long knownAt;

        private long windowBytes;
        private boolean open;
        private long nextSequence;
        /** Frames received of which the loop has not claimed all. */
        private int waiting;

        private boolean ended;
        private boolean fenced;
        private boolean down;

        private Source(AttemptKey key, AttemptPlace place, long knownAt) {
            this.key = key;
            this.place = place;
            this.knownAt = knownAt;
        }

        private boolean delivers() {
            return !ended && !fenced && !down;
        }

        private boolean isDrained() {
            return ended && !fenced && waiting == 0;
        }
    }
}
