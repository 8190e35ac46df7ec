package io.praline.worker.storage;

import io.praline.worker.storage.ObjectFolder.Listed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small objects that say that somebody is at something: written unless there is one, again while their owner lives, and taken
 * away when it is done. How old one is the store says, whose clock gave it its time too: hosts' clocks do not matter. They spare
 * work and nothing else: where they cannot be written or read, nobody is at anything. Safe for several threads.
 */
public final class ObjectMarks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectMarks.class);

    /** What was not written again for so long is nobody's: its owner was killed. */
    private static final Duration LASTS = Duration.ofSeconds(30);

    /** Most are taken away before. */
    private static final Duration AGAIN = Duration.ofSeconds(10);

    /** Whoever asks for one asks for many, again and again: one look is for all of them. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** A store that failed is not asked for so long: whoever asks waits for its answer. */
    private static final Duration REST = Duration.ofSeconds(30);

    /** Long after they were anybody's. */
    private static final Duration ABANDONED = Duration.ofMinutes(10);

    private static final long LEAVING_SECONDS = 5;

    private final ObjectFolder folder;
    private final byte[] owner;
    private final Set<String> own = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService writing = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "marks in the bucket");
        thread.setDaemon(true);
        return thread;
    });

    private final Map<String, Look> looks = new HashMap<>(); // guarded by itself
    private volatile Optional<Long> failedAt = Optional.empty();

    /** What others had, at a time. */
    private record Look(long nanos, Set<String> others) {}

    /** @param owner what stands in them, for people who look into the store */
    public ObjectMarks(ObjectFolder folder, String owner) {
        this.folder = folder;
        this.owner = owner.getBytes(StandardCharsets.UTF_8);
        var unused = writing.scheduleWithFixedDelay(
                this::writeAgain, AGAIN.toMillis(), AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * From now on this process is at something, unless somebody else is; until it is told that this is over.
     *
     * @return false where somebody else is
     */
    public boolean claim(String name) {
        if (rests()) {
            return true;
        }
        try {
            if (folder.put(name, owner) || isOwn(name) || replaced(name)) {
                own.add(name);
                return true;
            }
            found(name);
            return false;
        } catch (StoreFailed nobodyKnows) {
            fails(nobodyKnows);
            return true;
        }
    }

    /** An answer that it was written may have been lost, and it was written once more. */
    private boolean isOwn(String name) {
        return folder.read(name).filter(there -> Arrays.equals(there, owner)).isPresent();
    }

    /** Whether the mark that is there was nobody's any more, or went meanwhile. */
    private boolean replaced(String name) {
        if (folder.list(name).stream().anyMatch(ObjectMarks::lasts)) {
            return false;
        }
        folder.delete(name);
        return folder.put(name, owner);
    }

    private static boolean lasts(Listed mark) {
        return mark.age().compareTo(LASTS) < 0;
    }

    private void found(String name) {
        synchronized (looks) {
            Optional.ofNullable(looks.get(below(name)))
                    .ifPresent(look -> look.others().add(name));
        }
    }

    /** Whether somebody else is at something, as of a moment ago. */
    public boolean othersHave(String name) {
        if (own.contains(name)) {
            return false;
        }
        synchronized (looks) {
            long now = System.nanoTime();
            looks.values().removeIf(look -> now - look.nanos() >= LOOK.toNanos());
            return looks.computeIfAbsent(below(name), below -> new Look(now, others(below)))
                    .others()
                    .contains(name);
        }
    }

    private Set<String> others(String below) {
        Set<String> others = new HashSet<>();
        if (!rests()) {
            try {
                folder.list(below).stream().filter(ObjectMarks::lasts).forEach(mark -> others.add(mark.name()));
                others.removeAll(own);
            } catch (StoreFailed nobodyKnows) {
                fails(nobodyKnows);
            }
        }
        return others;
    }

    private static String below(String name) {
        return name.substring(0, name.lastIndexOf('/') + 1);
    }

    private boolean rests() {
        return failedAt.filter(since -> System.nanoTime() - since < REST.toNanos())
                .isPresent();
    }

    private void fails(StoreFailed why) {
        LOG.debug("nobody knows for now what others are at: {}", why.getMessage());
        failedAt = Optional.of(System.nanoTime());
    }

    /** What this process was at is over; whoever asks next learns it a little later. */
    public void release(String name) {
        if (own.remove(name)) {
            try {
                writing.execute(() -> quietly(() -> folder.delete(name)));
            } catch (RejectedExecutionException leaving) {
                LOG.debug("{} stays until it is nobody's", name);
            }
        }
    }

    private void writeAgain() {
        for (String name : List.copyOf(own)) {
            quietly(() -> {
                if (own.contains(name)) {
                    folder.replace(name, owner);
                }
            });
        }
    }

    private void quietly(Runnable request) {
        try {
            request.run();
        } catch (RuntimeException failed) {
            LOG.debug("a mark stays as it is: {}", failed.getMessage());
        }
    }

    /** Takes those away below a name whose owners were killed long ago. */
    public void clear(String below) {
        folder.list(below).stream()
                .filter(mark -> mark.age().compareTo(ABANDONED) > 0)
                .forEach(mark -> folder.delete(mark.name()));
    }

    /** Takes away those of this process. */
    @Override
    public void close() {
        List.copyOf(own).forEach(this::release);
        writing.shutdown();
        try {
            if (!writing.awaitTermination(LEAVING_SECONDS, TimeUnit.SECONDS)) {
                LOG.debug("marks of this process stay until they are nobody's");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        writing.shutdownNow();
    }
}
