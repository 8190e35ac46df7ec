package io.praline.dispatcher.convert;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What an entry of the journal says was decided. As with {@link JournalKind}, journals of other versions may have others. */
public enum JournalCommand {
    /** So many workers, remote and local, are wanted. A policy decided it. */
    SCALE_TO("scaleTo"),
    /** A worker makes the plan. */
    PLAN_SPLITS("planSplits"),
    /** The job is to have no worker. */
    PAUSE("pause"),
    /** The job is paused no longer. */
    GO_ON("goOn"),
    /** The job has ended, all of it consumed or excluded. */
    COMPLETED("completed"),
    /** The job has ended by a fault. */
    FAILED("failed"),
    /** The job has ended on request, or with its consumers. */
    CANCELLED("cancelled"),
    /** A worker begins an attempt. */
    START_ATTEMPT("startAttempt"),
    /** An attempt gets nothing more. */
    FINISH_ATTEMPT("finishAttempt"),
    /** An attempt must not go on. */
    FENCE_ATTEMPT("fenceAttempt"),
    /** What was owed goes to others. */
    ASSIGN_AGAIN("assignAgain"),
    /** So many workers the pool should have. */
    POOL_TARGET("poolTarget"),
    /** So many workers a trainer's host should have. */
    LOCAL_TARGET("localTarget"),
    /** A worker measures the job's steps. */
    PROFILE("profile"),
    /** A worker holds another order against the user's. */
    VERIFY("verify"),
    /** New attempts run another order. */
    RUN_VARIANT("runVariant"),
    /** The user's order stays. */
    KEEP_ORDER("keepOrder"),
    /** A worker measures the job's cache points. */
    PROFILE_POINTS("profilePoints"),
    /** New attempts read splits from entries, where there are any. */
    USE_ENTRIES("useEntries"),
    /** New attempts compute all. */
    COMPUTE_ALL("computeAll"),
    /** A group of entries may have so much. */
    CACHE_TARGET("cacheTarget");

    private static final Map<String, JournalCommand> BY_TEXT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(JournalCommand::text, Function.identity()));

    private final String text;

    JournalCommand(String text) {
        this.text = text;
    }

    /** As the journal has it. */
    public String text() {
        return text;
    }

    /** The command of this text; empty for one that other dispatchers wrote. */
    public static Optional<JournalCommand> of(String text) {
        return Optional.ofNullable(BY_TEXT.get(text));
    }
}
