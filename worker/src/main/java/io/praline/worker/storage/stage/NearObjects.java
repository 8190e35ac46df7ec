package io.praline.worker.storage.stage;

import io.praline.worker.storage.ObjectFolder;
import io.praline.worker.storage.ObjectFolder.Fetched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Objects by their copies near, where they are brought when they are asked for. Safe for several threads. */
public final class NearObjects {
    private static final Logger LOG = LoggerFactory.getLogger(NearObjects.class);

    private final ObjectFolder far;
    private final NearFiles near;
    private final Map<String, Object> fetching = new ConcurrentHashMap<>();
    private final AtomicBoolean toldOfRoom = new AtomicBoolean();

    public NearObjects(ObjectFolder far, NearFiles near) {
        this.far = far;
        this.near = near;
    }

    /**
     * To be read; empty where there is none, or no room for it.
     *
     * @throws IOException if the disk cannot be written
     */
    public Optional<NearFiles.Held> hold(String name) throws IOException {
        Optional<NearFiles.Held> there = near.hold(name);
        return there.isPresent() ? there : fetched(name, near::reserve, false);
    }

    /** Brings it near, for it will be read, but in nobody's place who waits likewise. */
    public Optional<NearFiles.Held> peek(String name) throws IOException {
        Optional<NearFiles.Held> there = near.peek(name);
        return there.isPresent() ? there : fetched(name, near::reserveAhead, true);
    }

    /** Two who want the same at a time get one copy. */
    private Optional<NearFiles.Held> fetched(String name, LongPredicate room, boolean ahead) throws IOException {
        Object turn = fetching.computeIfAbsent(name, none -> new Object());
        try {
            synchronized (turn) {
                Optional<NearFiles.Held> there = ahead ? near.peek(name) : near.hold(name);
                return there.isPresent() ? there : fetch(name, room, ahead);
            }
        } finally {
            fetching.remove(name, turn);
        }
    }

    private Optional<NearFiles.Held> fetch(String name, LongPredicate room, boolean ahead) throws IOException {
        Path part = near.part(name);
        long[] reserved = {0};
        boolean kept = false;
        try {
            Fetched came = far.fetch(name, part, bytes -> {
                boolean taken = room.test(bytes);
                reserved[0] = taken ? bytes : 0;
                if (!taken && !ahead && toldOfRoom.compareAndSet(false, true)) {
                    LOG.warn(
                            "{} of {} bytes finds no room among the copies in {}, where {} may lie; it is done without;"
                                    + " see --cache-near-bytes",
                            far.address(name),
                            bytes,
                            part.getParent(),
                            near.most());
                }
                return taken;
            });
            if (came != Fetched.THERE) {
                return Optional.empty();
            }
            NearFiles.Held held = near.add(name, part, reserved[0], ahead);
            kept = true;
            return Optional.of(held);
        } finally {
            if (!kept) {
                near.free(reserved[0]);
                Files.deleteIfExists(part);
            }
        }
    }
}
