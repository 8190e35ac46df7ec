package io.praline.deploy.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The newest picture, and whoever wants to hear of the next one. Any thread. */
final class Board {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Set<Listener> listeners = new LinkedHashSet<>();
    private Picture picture;

    Board(Picture first) {
        this.picture = first;
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
    }

    synchronized void forget(Listener listener) {
        listeners.remove(listener);
    }

    synchronized int listening() {
        return listeners.size();
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
