package io.praline.deploy.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The newest picture, and whoever wants to hear of the next one. Any thread. Who gathers pictures may rest while nobody looks:
 * following topics keeps brokers busy, for a page that is seldom open.
 */
final class Board {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Who asked once may ask again so soon. */
    private static final Duration INTEREST = Duration.ofSeconds(10);

    /** What comes in one round was asked for in the one before. */
    private static final int FRESH_AFTER_ROUNDS = 2;

    private final Set<Listener> listeners = new LinkedHashSet<>();
    private final LongSupplier nanoTime;
    private Picture picture;
    private OptionalLong asked = OptionalLong.empty();
    private boolean resting;
    private long rounds;

    Board(Picture first) {
        this(first, System::nanoTime);
    }

    Board(Picture first, LongSupplier nanoTime) {
        this.picture = first;
        this.nanoTime = nanoTime;
    }

    /** Who is told of changes, in their order, on any thread; must not block. */
    interface Listener {
        /** Takes an event, whole as it goes over the wire; not to be changed. */
        void tell(byte[] event);
    }

    synchronized Picture picture() {
        return picture;
    }

    /** Shows another picture, and tells what changed. */
    synchronized void show(Picture next) {
        Map<String, Object> changes = listeners.isEmpty() ? Map.of() : new PictureView(picture).changes(next);
        picture = next;
        List<byte[]> events = new ArrayList<>();
        changes.forEach((name, data) -> events.add(event(name, data)));
        events.forEach(event -> listeners.forEach(listener -> listener.tell(event)));
    }

    /** Tells all there is now, and from then on every change. */
    synchronized void listen(Listener listener) {
        listener.tell(event("all", new PictureView(picture).all()));
        listeners.add(listener);
        notifyAll();
    }

    synchronized void forget(Listener listener) {
        listeners.remove(listener);
    }

    synchronized int listening() {
        return listeners.size();
    }

    /** Somebody looks at the picture, now and perhaps soon again. */
    synchronized void ask() {
        asked = OptionalLong.of(nanoTime.getAsLong());
        notifyAll();
    }

    /** Whether who gathers pictures rests, so that what is shown is older than what there is. */
    synchronized boolean isResting() {
        return resting;
    }

    /** Wakes who rests, and waits until all there was when this began is shown, or for this long; else does nothing. */
    synchronized void refresh(Duration most) throws InterruptedException {
        ask();
        if (!resting) {
            return;
        }
        long fresh = rounds + FRESH_AFTER_ROUNDS;
        await(() -> rounds >= fresh, most);
    }

    /** Who gathers pictures has shown what came in a round: rests for this long where nobody looks, else not at all. */
    synchronized void rest(Duration most) throws InterruptedException {
        rounds++;
        notifyAll();
        resting = true;
        await(this::isWatched, most);
        resting = false;
    }

    private synchronized void await(BooleanSupplier so, Duration most) throws InterruptedException {
        long until = nanoTime.getAsLong() + most.toNanos();
        for (long left = most.toNanos(); !so.getAsBoolean() && left > 0; left = until - nanoTime.getAsLong()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private boolean isWatched() {
        return !listeners.isEmpty()
                || (asked.isPresent() && nanoTime.getAsLong() - asked.getAsLong() < INTEREST.toNanos());
    }

    static byte[] json(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + e.getMessage(), e);
        }
    }

    private static byte[] event(String name, Object data) {
        // JSON has no line breaks of its own, which would end the event
        String text = "event: " + name + "\ndata: " + new String(json(data), StandardCharsets.UTF_8) + "\n\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
