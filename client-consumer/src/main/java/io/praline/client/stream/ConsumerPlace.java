package io.praline.client.stream;

import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.JobStatus;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The consumer's place in the job: whether this process holds it, and in which generation, as the job's statuses tell.
 *
 * <pre>
 *   no generation --its own incarnation is HERE--&gt; held --again, in a higher generation--&gt; held in that one
 *   held --another incarnation has the place--&gt; taken          held --its own has LEFT and did not say so--&gt; given up
 * </pre>
 *
 * <p>While the status calls it IN_DOUBT, it keeps its generation and holds nothing. A dispatcher that tells of no places is
 * an older one: the generation is the consumer's number then. Owned by the stream's lock.
 */
public final class ConsumerPlace {
    /** What a status changes. */
    public enum News {
        NOTHING,
        /** This process holds it from now on, or holds it in another generation. */
        ENTERED,
        /** Another process holds it. */
        TAKEN,
        /** Nobody waits for this process any more. */
        GIVEN_UP
    }

    private final int consumer;
    private final String incarnation;
    private OptionalInt generation = OptionalInt.empty();
    private Optional<ConsumerSlot> slot = Optional.empty();
    private boolean told;
    private boolean wasHere;

    public ConsumerPlace(int consumer, String incarnation) {
        this.consumer = consumer;
        this.incarnation = incarnation;
    }

    public News follow(JobStatus newest) {
        if (newest.getSlots().isEmpty()) {
            return told ? News.NOTHING : enter(consumer);
        }
        told = true;
        slot = newest.getSlots().stream()
                .filter(each -> each.getConsumer() == consumer)
                .findFirst();
        if (slot.isEmpty() || slot.get().getIncarnation().isEmpty()) {
            return News.NOTHING;
        }
        ConsumerSlot known = slot.get();
        if (!known.getIncarnation().equals(incarnation)) {
            // held and lost between two statuses, where it never saw itself in its place
            return wasHere || known.getSucceeded().contains(incarnation) ? News.TAKEN : News.NOTHING;
        }
        return switch (known.getState()) {
            case HERE -> {
                wasHere = true;
                yield enter(known.getGeneration());
            }
            case LEFT -> wasHere ? News.GIVEN_UP : News.NOTHING;
            case EXPECTED, IN_DOUBT -> News.NOTHING;
        };
    }

    /** Whether this process holds it by the newest status. */
    public boolean isHeld() {
        return told ? slot.filter(this::isOurs).isPresent() : generation.isPresent();
    }

    /** The newest of this process's beats that the newest status echoes; empty where it does not hold the place. */
    public Optional<Long> echo() {
        return slot.filter(this::isOurs).map(ConsumerSlot::getBeat);
    }

    /** Whether the newest status says that this process is given nothing more; true where the dispatcher does not tell. */
    public boolean isFinished() {
        return slot.filter(this::isOurs)
                .filter(known -> known.getFinished().orElse(true))
                .isPresent();
    }

    /** Whether the newest status says in so many words that this process is given nothing more. */
    public boolean isToldFinished() {
        return slot.filter(this::isOurs).flatMap(ConsumerSlot::getFinished).orElse(false);
    }

    /** The generation in which it was held last. */
    public OptionalInt generation() {
        return generation;
    }

    /** What the newest status says of it; empty from an older dispatcher, and while there is no such place. */
    public Optional<ConsumerSlot> slot() {
        return slot;
    }

    /** Whether the dispatcher tells of places. */
    public boolean isTold() {
        return told;
    }

    private boolean isOurs(ConsumerSlot known) {
        return known.getState() == ConsumerState.HERE
                && known.getIncarnation().equals(incarnation)
                && generation.equals(OptionalInt.of(known.getGeneration()));
    }

    private News enter(int newest) {
        if (generation.isPresent() && generation.getAsInt() >= newest) {
            return News.NOTHING;
        }
        generation = OptionalInt.of(newest);
        return News.ENTERED;
    }
}
