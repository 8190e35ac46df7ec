package io.praline.dispatcher.convert;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a job that waits lacks, as its status tells it. Statuses of other versions may have words that are not here: text. */
public enum WaitingFor {
    /** Nothing: somebody paused it. */
    PAUSED("paused"),
    /** Workers that nobody can start. */
    CAPACITY("capacity"),
    /** Workers that are not there yet. */
    WORKERS("workers"),
    /** Slots that other jobs have. */
    SLOTS("slots"),
    /** Its policy wants no worker now. */
    POLICY("policy"),
    /** It or its tenant has spent what it may. */
    CAP("cap"),
    /** Consumers that must answer or acknowledge, or are still to come. */
    CONSUMERS("consumers"),
    /** A consumer, of which it has none. */
    CONSUMER("consumer"),
    /** The stores that its data lies in: none of its attempts is given anything. */
    STORAGE("storage"),
    /** What was sent to a consumer that was lost. */
    DOUBT("doubt");

    private static final Map<String, WaitingFor> BY_TEXT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(WaitingFor::text, Function.identity()));

    private final String text;

    WaitingFor(String text) {
        this.text = text;
    }

    /** As the status has it. */
    public String text() {
        return text;
    }

    /** What this text means; empty for one that other dispatchers wrote, and for none. */
    public static Optional<WaitingFor> of(String text) {
        return Optional.ofNullable(BY_TEXT.get(text));
    }

    /** Whether this text means it. */
    public boolean is(String other) {
        return text.equals(other);
    }
}
