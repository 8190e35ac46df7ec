package io.praline.dispatcher.convert;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What an entry of the journal was written for. Journals of other versions may have kinds that are not here: to a reader
 * these are text.
 */
public enum JournalKind {
    /** A plan is complete: its splits and bytes, and whether only one task may run. A policy saw it. */
    PLANNED("planned"),
    /** The pool has other workers or slots that take new work. A policy saw it. */
    POOL_CHANGED("poolChanged"),
    /** The job got other workers than it had. A policy saw it. */
    GRANTED("granted"),
    /** Its prices, limits, goal and cap are these from now on. A policy saw it. */
    TERMS_SET("termsSet"),
    /** Its numbers of workers were taken out of the policy's hands, or given back. A policy saw it. */
    PINNED("pinned"),
    /** What a task makes on a worker. A policy saw it. */
    RATE_MEASURED("rateMeasured"),
    /** What a consumer measured. A policy saw it. */
    WINDOW_CLOSED("windowClosed"),
    /** New tasks make another number of elements: they run its steps in another order, or read entries. A policy saw it. */
    ORDER_CHANGED("orderChanged"),
    /** Its tenant has spent its cap, or may spend again. A policy saw it. */
    TENANT_SPENT("tenantSpent"),
    /** Time passed. A policy saw it; written only where that changed something. */
    CLOCK("clock"),
    /** A consumer measured what cannot be; no policy saw it. */
    WINDOW_REFUSED("windowRefused"),
    /** The job needs a plan. */
    PLAN_WANTED("planWanted"),
    /** Somebody asked to pause it, or to go on. */
    PAUSE_REQUESTED("pauseRequested"),
    /** The job is over. */
    JOB_ENDED("jobEnded"),
    /** The pool's slots were divided anew. */
    SLOTS_DIVIDED("slotsDivided"),
    /** Nothing of an epoch is left for an attempt. */
    EPOCH_ASSIGNED("epochAssigned"),
    /** Splits came back to an epoch that nobody reads any more. */
    SPLITS_RETURNED("splitsReturned"),
    /** An attempt must not go on. */
    ATTEMPT_LOST("attemptLost"),
    /** An attempt without tickets has read for so long that its death would repeat too much. */
    ATTEMPT_AGED("attemptAged"),
    /** Every consumer has told what it took of a fenced attempt. */
    FENCE_ANSWERED("fenceAnswered"),
    /** A split was open when workers crashed. */
    SPLIT_SUSPECTED("splitSuspected"),
    /** An attempt ended and did not tell what became of all that it read. */
    ATTEMPT_ENDED("attemptEnded"),
    /** A process took a consumer's place. */
    CONSUMER_CAME("consumerCame"),
    /** A consumer left in order. */
    CONSUMER_LEFT("consumerLeft"),
    /** Nothing is waited for any more of what was with a consumer's former process: it is given again. */
    CONSUMER_SETTLED("consumerSettled"),
    /** Nothing of the job has moved for too long. */
    STUCK("stuck"),
    /** A consumer was silent for too long. */
    CONSUMER_LOST("consumerLost"),
    /** The job needs another number of workers on its trainer's host. */
    LOCAL_NEEDS("localNeeds"),
    /** A worker joined the pool. */
    WORKER_JOINED("workerJoined"),
    /** A worker has other slots, addresses or another host. */
    WORKER_CHANGED("workerChanged"),
    /** A worker is about to leave. */
    WORKER_DRAINING("workerDraining"),
    /** A worker left, was silent for too long, or was started anew. */
    WORKER_LOST("workerLost"),
    /** The pool needs another number of workers. */
    POOL_NEEDS("poolNeeds"),
    /** What is done for the whole pool throws, and is left out for a while. */
    STEP_LEFT_OUT("stepLeftOut"),
    /** What was left out for the pool is done again. */
    STEP_DONE_AGAIN("stepDoneAgain"),
    /** The job goes on for long enough that the order of its steps matters. */
    ORDER_WANTED("orderWanted"),
    /** A worker measured its steps. */
    STEPS_PROFILED("stepsProfiled"),
    /** A worker held another order against the user's. */
    VARIANT_VERIFIED("variantVerified"),
    /** Whoever was to measure could not, or is gone. */
    ORDER_UNMEASURED("orderUnmeasured"),
    /** Another job has shown an order to be better. */
    ORDER_KNOWN("orderKnown"),
    /** An attempt failed in another order than the user's, or its worker was lost. */
    VARIANT_FAILED("variantFailed"),
    /** What a task makes in the new order is known. */
    VARIANT_RATED("variantRated"),
    /** An attempt runs another order than it should, or reads other entries. */
    ATTEMPT_OUTDATED("attemptOutdated"),
    /** It is known where elements of its pipeline may be kept. */
    POINTS_PLANNED("pointsPlanned"),
    /** Stores have other entries of it than before. */
    ENTRIES_STORED("entriesStored"),
    /** The order of its steps is not to be measured any more, or has changed. */
    ORDER_SETTLED("orderSettled"),
    /** A worker measured its cache points. */
    POINTS_PROFILED("pointsProfiled"),
    /** Whoever was to measure its cache points could not, or is gone. */
    POINTS_UNMEASURED("pointsUnmeasured"),
    /** Its cache points are those of a job of another seed. */
    POINTS_DOUBTED("pointsDoubted"),
    /** Time passed, and what is to come of it was looked at. */
    CACHE_LOOKED("cacheLooked"),
    /** An attempt read an entry that is no good. */
    ENTRY_BROKEN("entryBroken"),
    /** What a task makes from entries is known. */
    ENTRIES_RATED("entriesRated"),
    /** Somebody asked that nothing of a group of entries goes, or that it may. */
    ENTRIES_PINNED("entriesPinned"),
    /** Somebody asked that a group of entries goes. */
    ENTRIES_DROPPED("entriesDropped"),
    /** Stores are divided in another way. */
    STORES_DIVIDED("storesDivided");

    private static final Map<String, JournalKind> BY_TEXT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(JournalKind::text, Function.identity()));

    private static final String SHADOW = "shadow:";

    private final String text;

    JournalKind(String text) {
        this.text = text;
    }

    /** As the journal has it. */
    public String text() {
        return text;
    }

    /** The kind of this text; empty for one that other dispatchers wrote. */
    public static Optional<JournalKind> of(String text) {
        return Optional.ofNullable(BY_TEXT.get(text));
    }

    /** The same as seen by a policy that only looks on: a reader of the journal takes it for none of the job's own turns. */
    public String shadowed() {
        return SHADOW + text;
    }

    /** Whether it is what {@link #shadowed} makes of one. */
    public static boolean isOfAShadow(String kind) {
        return kind.startsWith(SHADOW);
    }
}
