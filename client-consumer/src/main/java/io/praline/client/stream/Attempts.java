package io.praline.client.stream;

import io.praline.client.metrics.ConsumptionReporter;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.schema.AttemptPlace;
import io.praline.schema.JobStatus;
import io.praline.wire.EndOf;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The attempts that the job's status lists, as this stream reads them: a new one is dialled, what comes of it is checked
 * for order and lies ready, a fenced one is discarded and the fence answered, one that is no longer listed is let go.
 *
 * <ul>
 *   <li>Of each attempt, frames are taken once and in order; a gap is a lost channel.
 *   <li>Nothing of an attempt that is not listed, is fenced, has ended or is down has any effect; its memory is freed.
 *   <li>A fence is answered once, behind all claims made of the attempt, and none is made after it.
 *   <li>All is read in one generation. With the next, what is not claimed is discarded, which is told behind all claims,
 *       and every attempt is dialled again; what is still on its way from the one before has no effect.
 *   <li>A channel is closed once, and gives its window back then.
 * </ul>
 *
 * <p>Owned by the stream's lock.
 */
public final class Attempts {
    /** How long a worker may call a generation stale that the status calls the newest, before its channel is lost. */
    static final Duration STALE = Duration.ofSeconds(10);

    private final String job;
    private final ConsumptionReporter reporter;
    private final StreamEffects effects;
    private final CreditShare credit;
    private final EpochGate gate;
    private final LoopHandover handover;
    private final ServingTasks tasks;
    private final Map<AttemptKey, AttemptSource> sources = new HashMap<>();
    private OptionalInt generation = OptionalInt.empty();
    private boolean finished;

    public Attempts(
            String job,
            long memoryBytes,
            ConsumptionReporter reporter,
            StreamEffects effects,
            EpochGate gate,
            LoopHandover handover,
            ServingTasks tasks) {
        this.job = job;
        this.credit = new CreditShare(memoryBytes);
        this.reporter = reporter;
        this.effects = effects;
        this.gate = gate;
        this.handover = handover;
        this.tasks = tasks;
    }

    // ---- what comes from channels

    /** Takes the frame over; true if it lies ready now. */
    public boolean received(Frame frame) {
        Optional<AttemptSource> found = delivers(frame.lane());
        if (found.isEmpty() || frame.sequence() < found.get().nextSequence()) {
            frame.close(frame.parts());
            return false;
        }
        AttemptSource source = found.get();
        if (frame.sequence() > source.nextSequence()) {
            frame.close(frame.parts());
            lost(source, "batch " + frame.sequence() + " came where " + source.nextSequence() + " was due");
            return false;
        }
        source.received();
        handover.add(frame, source.place().getLocal());
        tasks.serves(source.place());
        return true;
    }

    /** No batch of this attempt follows; true if that was not known. */
    public boolean ended(LaneKey lane, long lastSequence, EndOf of) {
        Optional<AttemptSource> found = delivers(lane);
        if (found.isEmpty()) {
            return false;
        }
        AttemptSource source = found.get();
        if (lastSequence != source.nextSequence() - 1) {
            lost(source, "it ended with batch " + lastSequence + " where " + source.nextSequence() + " was due");
            return false;
        }
        source.end();
        gate.ended(source, of);
        finishIfDrained(source);
        return true;
    }

    /** The worker of an attempt that delivers. */
    public Optional<AttemptPlace> delivering(LaneKey lane) {
        return delivers(lane).map(AttemptSource::place);
    }

    /** Nothing more comes of the attempt, and the dispatcher is to hear of it. */
    public void lost(LaneKey lane, String reason) {
        delivers(lane).ifPresent(source -> lost(source, reason));
    }

    /** Nothing more comes of the attempt, which the dispatcher knows already. */
    public void silenced(LaneKey lane) {
        delivers(lane).ifPresent(AttemptSource::down);
    }

    /** The attempt's worker knows a newer generation: what that means, the next status says. */
    public void stale(LaneKey lane) {
        delivers(lane).ifPresent(source -> {
            source.refuseAsStale();
            effects.awaitsNews();
        });
    }

    // ---- what comes from the loop

    /** The loop claimed all of a frame of this attempt. */
    public void claimed(LaneKey lane) {
        source(lane).ifPresent(source -> {
            source.claimed();
            finishIfDrained(source);
        });
    }

    /** Whether all epochs before this one are over. */
    public boolean isOpen(int epoch) {
        return gate.isOpen(epoch, sources.values());
    }

    /** Whether no attempt delivers anything any more; what came already may still wait for the loop. */
    public boolean isStreamOver(boolean finished) {
        return gate.isStreamOver(sources.values(), finished);
    }

    /** Whether all that the attempts had for this consumer has come. */
    public boolean areDrained() {
        return sources.values().stream().allMatch(AttemptSource::isDrained);
    }

    // ---- what comes from the watch

    /**
     * All is read in this generation from now on. What is promised to the loop of the one before is claimed, and comes:
     * {@code hasNext()} has said so.
     */
    public void enter(int newest) {
        if (generation.isPresent()) {
            handover.claimPromise();
            handover.discardAll();
            for (AttemptSource source : sources.values()) {
                if (!source.isFenced() && !source.isDrained()) {
                    gate.lost(source.epoch());
                }
            }
            closeAll();
            reporter.discarded(generation.getAsInt());
            effects.hurry();
        }
        generation = OptionalInt.of(newest);
        finished = false;
    }

    /** This generation is given nothing more: a HELLO would open a lane that nobody empties. */
    public void finished() {
        finished = true;
    }

    /** Opens, fences and lets go as the job's newest status says; a generation was entered before. */
    public void follow(JobStatus newest, boolean leaseOver, long nowNanos) {
        long number = gate.follow(newest);
        Set<AttemptKey> listed = new HashSet<>();
        for (AttemptPlace place : newest.getAttempts()) {
            listed.add(key(place));
        }
        dropUnlisted(listed, leaseOver);
        for (AttemptPlace place : newest.getAttempts()) {
            follow(place, newest, number, nowNanos);
        }
        tasks.follow(newest.getAttempts());
    }

    /** Closes all channels: nothing more is wanted. */
    public void closeAll() {
        sources.values().forEach(this::release);
        sources.clear();
    }

    private void follow(AttemptPlace place, JobStatus newest, long number, long nowNanos) {
        AttemptKey key = key(place);
        AttemptSource source = sources.get(key);
        boolean isNew = source == null;
        if (isNew && finished && !place.getFenced()) {
            return;
        }
        if (isNew) {
            source = new AttemptSource(new LaneKey(key, generation.orElseThrow()), place, number);
            sources.put(key, source);
        }
        if (place.getFenced()) {
            if (!source.isFenced()) {
                fence(source);
            }
        } else if (isNew) {
            long sharers = newest.getAttempts().stream()
                    .filter(other -> other.getEpoch() == place.getEpoch() && !other.getFenced())
                    .count();
            source.open(credit.open((int) sharers));
            effects.open(source.lane(), place, source.windowBytes());
        } else if (source.delivers() && source.staleNanos(nowNanos) >= STALE.toNanos()) {
            lost(source, "it calls generation " + generation.getAsInt() + " of this consumer an older one");
        }
    }

    // an attempt leaves the status when its fence is answered by all, or when all of it is in the ledger; else this
    // consumer was given up, and what it holds may be on its way to others
    private void dropUnlisted(Set<AttemptKey> listed, boolean leaseOver) {
        for (Iterator<AttemptSource> each = sources.values().iterator(); each.hasNext(); ) {
            AttemptSource source = each.next();
            if (listed.contains(source.key()) || (source.hasWaiting() && !leaseOver)) {
                continue;
            }
            if (!source.isFenced() && !source.isDrained()) {
                gate.lost(source.epoch());
            }
            handover.discard(source.key());
            source.discarded();
            release(source);
            each.remove();
        }
    }

    private void fence(AttemptSource source) {
        source.fence();
        gate.lost(source.epoch());
        handover.fence(source.key());
        source.discarded();
        release(source);
        reporter.fenceAnswered(source.lane());
        effects.hurry();
    }

    private void finishIfDrained(AttemptSource source) {
        if (source.isDrained()) {
            reporter.ended(source.lane());
            release(source);
            effects.hurry();
        }
    }

    private void lost(AttemptSource source, String reason) {
        source.down();
        reporter.channelDown(source.key(), source.place().getIncarnation(), reason);
        release(source);
        effects.hurry();
    }

    private void release(AttemptSource source) {
        if (source.close()) {
            credit.close(source.windowBytes());
            effects.close(source.lane());
        }
    }

    private Optional<AttemptSource> source(LaneKey lane) {
        return Optional.ofNullable(sources.get(lane.attempt()))
                .filter(source -> source.lane().equals(lane));
    }

    private Optional<AttemptSource> delivers(LaneKey lane) {
        return source(lane).filter(AttemptSource::delivers);
    }

    private AttemptKey key(AttemptPlace place) {
        return new AttemptKey(job, place.getEpoch(), place.getAttempt());
    }
}
