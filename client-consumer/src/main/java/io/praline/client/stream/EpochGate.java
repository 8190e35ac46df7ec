package io.praline.client.stream;

import io.praline.schema.ConsumerSlot;
import io.praline.schema.EpochProgress;
import io.praline.schema.JobStatus;
import io.praline.wire.EndOf;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * When the batches of an epoch may go to the loop, and when nothing follows at all. What other consumers hold, or have not
 * acknowledged, never counts: loops that wait for each other at every step do not wait for the ledger.
 *
 * <p>An epoch's batches wait until each epoch before is over: no attempt of it that can still deliver here (nor one that is
 * fenced, unless the status says what the first line has), and
 *
 * <pre>
 *   the status says that all of it is delivered, or complete, or
 *   an attempt's END says that with it the epoch is over, and none was lost since that attempt became known, or
 *   the job has attempts of a later epoch and none of this one, and none of it was lost
 * </pre>
 *
 * <p>The stream is over when no attempt can still deliver here, and
 *
 * <pre>
 *   the status says in so many words that this consumer is given nothing more, or
 *   the status says that all of each epoch is delivered, nothing is in doubt, of a dispatcher that tells no more, or
 *   nobody but this process was ever a consumer of the job, and an attempt's END says that with it the stream is over, and
 *   since that attempt became known none was lost and nothing was in doubt
 * </pre>
 *
 * What a lost attempt owed is read again by another, and so is what another consumer gives back, so that an END from before
 * is no last word. Nor is one of an attempt that ever served another consumer, of which a client that is cut off from Kafka
 * has not heard: such an attempt says that its epoch is over, and no more.
 *
 * <p>"Since" is counted in statuses. An epoch that was over once stays so. Owned by the stream's lock.
 */
public final class EpochGate {
    /** By epoch: the attempt whose END said that with it the epoch is over. */
    private final Map<Integer, AttemptSource> closers = new HashMap<>();

    /** By epoch: the number of the status that told of the last loss. */
    private final Map<Integer, Long> losses = new HashMap<>();

    private Optional<AttemptSource> last = Optional.empty();
    private Optional<JobStatus> status = Optional.empty();
    /** The number of the last status that had elements in doubt; 0 where none had. */
    private long doubt;

    private long statuses;
    private int oldestEpoch;

    /** This is the job's status from now on; gives its number. */
    long follow(JobStatus newest) {
        status = Optional.of(newest);
        statuses++;
        if (inDoubt(newest)) {
            doubt = statuses;
        }
        return statuses;
    }

    /** The newest status tells that an attempt of this epoch was lost with what it owed. */
    void lost(int epoch) {
        losses.put(epoch, statuses);
    }

    /** The attempt's END came, and says that this is over with it. */
    void ended(AttemptSource source, EndOf of) {
        switch (of) {
            case ATTEMPT -> {}
            case EPOCH -> closers.put(source.epoch(), source);
            case JOB -> {
                closers.put(source.epoch(), source);
                last = Optional.of(source);
            }
        }
    }

    /** Whether all epochs before this one are over. */
    boolean isOpen(int epoch, Collection<AttemptSource> sources) {
        while (oldestEpoch < epoch && isOver(oldestEpoch, sources)) {
            oldestEpoch++;
        }
        return oldestEpoch >= epoch;
    }

    /**
     * Whether no attempt delivers anything any more; what came already may still wait for the loop.
     *
     * @param finished whether the status says that this consumer is given nothing more; true where a dispatcher does not tell
     */
    boolean isStreamOver(Collection<AttemptSource> sources, boolean finished) {
        return sources.stream().allMatch(AttemptSource::isDrained)
                && status.filter(
                                known -> (finished && isAllDelivered(known)) || (isOnlyConsumer(known) && isLastWord()))
                        .isPresent();
    }

    private boolean isLastWord() {
        long lastLoss =
                losses.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return last.filter(source -> source.knownSince() > Math.max(lastLoss, doubt))
                .isPresent();
    }

    // an older dispatcher tells of no consumers; one that came after another knows nothing of what that one was sent
    private static boolean isOnlyConsumer(JobStatus known) {
        return known.getSlots().isEmpty()
                || (known.getSlots().size() == 1
                        && known.getSlots().get(0).getGeneration()
                                == known.getSlots().get(0).getConsumer());
    }

    private static boolean isAllDelivered(JobStatus known) {
        return !known.getSlots().isEmpty()
                && known.getProgress().size() >= known.getEpochs()
                && known.getProgress().stream().allMatch(EpochGate::isDelivered)
                && !inDoubt(known);
    }

    private static boolean isDelivered(EpochProgress epoch) {
        return epoch.getDelivered() || epoch.getComplete();
    }

    private static boolean inDoubt(JobStatus known) {
        return known.getSlots().stream().mapToLong(ConsumerSlot::getInDoubt).sum() > 0;
    }

    private boolean isOver(int epoch, Collection<AttemptSource> sources) {
        boolean fenced = false;
        for (AttemptSource source : sources) {
            if (source.epoch() == epoch && !source.isDrained()) {
                if (!source.isFenced()) {
                    return false;
                }
                fenced = true;
            }
        }
        JobStatus known = status.orElseThrow();
        if (known.getProgress().stream().anyMatch(each -> each.getEpoch() == epoch && isDelivered(each))) {
            return true; // what a fenced attempt waits for is with a consumer that was lost
        }
        if (fenced) {
            return false;
        }
        AttemptSource closer = closers.get(epoch);
        if (closer != null && closer.knownSince() > losses.getOrDefault(epoch, 0L)) {
            return true;
        }
        boolean later = known.getAttempts().stream().anyMatch(place -> place.getEpoch() > epoch);
        boolean listed = known.getAttempts().stream().anyMatch(place -> place.getEpoch() == epoch);
        return later && !listed && !losses.containsKey(epoch);
    }
}
