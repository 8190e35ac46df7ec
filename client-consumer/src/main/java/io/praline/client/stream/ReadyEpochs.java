package io.praline.client.stream;

import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What came and was not offered to the loop yet, the oldest epoch first. Owned by the stream's lock. */
final class ReadyEpochs {
    private final TreeMap<Integer, ReadyFrames> epochs = new TreeMap<>();
    private long batches;

    void add(Frame frame, boolean fromLocal) {
        epochs.computeIfAbsent(frame.attempt().epoch(), epoch -> new ReadyFrames())
                .add(frame, fromLocal);
        batches += frame.parts();
    }

    boolean isEmpty() {
        return epochs.isEmpty();
    }

    /** How many batches they are. */
    long batches() {
        return batches;
    }

    /** The epoch of the frame that is next; there must be one. */
    int firstEpoch() {
        return epochs.firstKey();
    }

    /** The next frame, taken out; there must be one. */
    Frame remove() {
        int epoch = epochs.firstKey();
        ReadyFrames frames = epochs.get(epoch);
        Frame frame = frames.poll().orElseThrow();
        if (frames.isEmpty()) {
            epochs.remove(epoch);
        }
        batches -= frame.parts();
        return frame;
    }

    /** Takes out those of an epoch that are meant, each handed to {@code taken}. */
    void removeIf(int epoch, Predicate<Frame> meant, Consumer<Frame> taken) {
        Optional.ofNullable(epochs.get(epoch)).ifPresent(frames -> {
            frames.removeIf(meant, frame -> {
                batches -= frame.parts();
                taken.accept(frame);
            });
            if (frames.isEmpty()) {
                epochs.remove(epoch);
            }
        });
    }

    /** Takes out all, each handed to {@code taken}. */
    void clear(Consumer<Frame> taken) {
        epochs.values().forEach(frames -> frames.removeIf(frame -> true, taken));
        epochs.clear();
        batches = 0;
    }
}
