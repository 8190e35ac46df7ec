package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignedSplit;
import io.praline.worker.assignment.OpeningPace;
import io.praline.worker.assignment.SplitQueue;
import io.praline.worker.attempt.entry.CacheRoad;
import io.praline.worker.attempt.entry.CacheUse;
import io.praline.worker.attempt.entry.EntryWait;
import io.praline.worker.attempt.input.Feed;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.NodeMetrics;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.metrics.BusyTime;
import io.praline.worker.storage.StoreFailed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Splits from the queue of one attempt into its graph, on a thread of its own: the graph is given few ahead, and once the
 * queue is closed and empty, the graph's own is closed. The puller starts it, waits for it, and tells when the graph is
 * exhausted or gone; any thread may ask for its numbers.
 */
final class SplitFeeder {
    /**
     * So many splits lie in the graph's own queue, where they cannot be called back; the others wait outside. At least one
     * for each that the graph reads at a time.
     */
    private static final int FED_AHEAD = 2;

    /** While the graph holds so many that it has not opened. */
    private static final long LONGEST_PAUSE_MS = 100;

    /** Where an element fails, its split was fed lately: a shuffle buffer rarely spans more. */
    private static final int FED_REMEMBERED = 256;

    private final AttemptKey key;
    private final SplitQueue splits;
    private final AttemptLifecycle lifecycle;
    private final BusyTime busy;
    private final Function<AssignedSplit, OptionalLong> counts;
    private final LongSupplier nanoTime;
    private final Consumer<AttemptFailed> broken;
    private final StagedInput input;
    private final OpeningPace pace = new OpeningPace();
    private final EntryWait wait = new EntryWait();
    private final Deque<AssignedSplit> fedLast = new ArrayDeque<>();

    private final Object sessionGuard = new Object();

    // guarded by sessionGuard: other threads ask the session for numbers only while it is there
    private Optional<RunningGraph> session = Optional.empty();
    private long fed;

    // before anything is fed
    private volatile Optional<CacheUse> cache = Optional.empty();

    // the feeding thread's: whether the graph waits for a split
    private boolean dry;

    // the feeding thread's: whether nobody else made an entry of the split when it was taken
    private boolean free;

    private volatile boolean started;
    private volatile boolean queueClosing;
    private volatile boolean exhausted;
    private volatile boolean holding;

    /**
     * @param counts how many records a split has, for graphs that must be told; empty where the attempt ends since nobody can
     *     say
     * @param input waits for what is read of stores
     * @param broken told where a split cannot be fed
     */
    SplitFeeder(
            AttemptKey key,
            SplitQueue splits,
            AttemptLifecycle lifecycle,
            BusyTime busy,
            Function<AssignedSplit, OptionalLong> counts,
            StagedInput input,
            LongSupplier nanoTime,
            Consumer<AttemptFailed> broken) {
        this.key = key;
        this.splits = splits;
        this.lifecycle = lifecycle;
        this.busy = busy;
        this.counts = counts;
        this.input = input;
        this.nanoTime = nanoTime;
        this.broken = broken;
    }

    /**
     * This is the graph.
     *
     * @param entries that stand in for splits
     */
    void use(RunningGraph graph, Optional<CacheUse> entries) {
        cache = entries;
        synchronized (sessionGuard) {
            session = Optional.of(graph);
        }
        dry = splits.size() == 0;
        started = true;
    }

    /** Feeds the graph that it uses; the thread ends when nothing more is to be fed, or the graph is cancelled. */
    Thread start(RunningGraph into) {
        Thread feeding = new Thread(() -> feed(into), "feed " + key);
        feeding.setDaemon(true);
        feeding.start();
        return feeding;
    }

    private void feed(RunningGraph into) {
        try {
            while (feedNext(into)) {
                // one after the other
            }
        } catch (CancellationException stopped) {
            // nobody reads a split any more
        } catch (StoreFailed unread) {
            broken.accept(AttemptFailed.of(unread));
        } catch (AttemptFailed endless) {
            broken.accept(endless);
        } catch (InterruptedException | RuntimeException | LinkageError | StackOverflowError e) {
            broken.accept(AttemptFailed.broke("splits cannot be fed", e));
        } catch (Error e) {
            broken.accept(AttemptFailed.broke("splits cannot be fed", e));
            throw e; // and with its thread the process ends
        }
    }

    /** Feeds a split: waits for it, and for room in the graph. False where none follows, which the graph knows by then. */
    boolean feedNext(RunningGraph into) throws InterruptedException {
        Optional<AssignedSplit> next =
                cache.isPresent() ? takenAsThereIsRoom(into, cache.get().road()) : splits.take();
        if (next.isEmpty()) {
            close(into);
            return false;
        }
        holding = true;
        if (cache.isEmpty()) {
            await(next.get(), into);
        }
        OptionalLong records = into.counts() ? counts.apply(next.get()) : OptionalLong.empty();
        if (into.counts() && records.isEmpty()) {
            return false;
        }
        dry = dry && holdsNothing(into);
        pauseUntil(() -> hasRoom(into));
        if (wanted()) {
            FeedSplit split = Feed.split(next.get());
            if (cache.isPresent()) {
                if (!feed(next.get(), split, into, cache.get())) {
                    splits.giveBack(next.get());
                    holding = false;
                    return true;
                }
            } else {
                into.enqueue(records.isPresent() ? split.counted(records.getAsLong()) : split);
            }
            if (dry) {
                busy.fed(nanoTime.getAsLong());
            }
            remember(next.get());
        }
        holding = false;
        dry = splits.size() == 0;
        return true;
    }

    /** False where it is not its turn: somebody else has begun its entry since it was taken. */
    private boolean feed(AssignedSplit next, FeedSplit split, RunningGraph into, CacheUse entries) {
        CacheUse.Fed fed = entries.enqueue(next, split, into, () -> await(next, into), free);
        if (fed == CacheUse.Fed.ITS_ENTRY) {
            input.spare(next, ahead(into));
        }
        return fed != CacheUse.Fed.NOT_NOW;
    }

    /**
     * Whether somebody else makes a split's entry is asked when the graph has room for it: while it had none, they may have begun.
     * Where that is so of all that wait, the entry of one is likely to be there soon. If none comes, others are furthest from
     * the last one's.
     */
    private Optional<AssignedSplit> takenAsThereIsRoom(RunningGraph into, CacheRoad road) throws InterruptedException {
        if (!splits.await()) {
            return Optional.empty();
        }
        pauseUntil(() -> hasRoom(into));
        Optional<AssignedSplit> next =
                untilThere(() -> splits.takeFirst(split -> !road.comesSoon(split)), () -> waits(into));
        wait.over();
        free = next.isPresent();
        return free ? next : splits.takeLast();
    }

    /** Whether it goes on waiting for what others make. */
    private boolean waits(RunningGraph into) {
        if (splits.size() == 0 || !holdsNothing(into)) {
            return splits.size() > 0;
        }
        dry = true;
        return wait.lasts(splitSeconds(), nanoTime.getAsLong());
    }

    /** Looks again and again, while anything is wanted: each look is a run of the graph. */
    private void pauseUntil(BooleanSupplier there) throws InterruptedException {
        var unused = untilThere(() -> there.getAsBoolean() ? Optional.of(true) : Optional.empty(), () -> true);
    }

    /** The same; empty where it is not there and not worth waiting for any more. */
    private <T> Optional<T> untilThere(Supplier<Optional<T>> there, BooleanSupplier waits) throws InterruptedException {
        long pause = 1;
        while (wanted()) {
            Optional<T> found = there.get();
            if (found.isPresent() || !waits.getAsBoolean()) {
                return found;
            }
            Thread.sleep(pause);
            pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
        }
        return Optional.empty();
    }

    private static boolean holdsNothing(RunningGraph graph) {
        return graph.queueSize() + graph.entryQueueSize() == 0;
    }

    /** Waits until what the split reads is at hand. */
    private void await(AssignedSplit split, RunningGraph into) {
        input.await(split, ahead(into));
    }

    private static int ahead(RunningGraph into) {
        return FED_AHEAD + 3 * into.readers();
    }

    private void close(RunningGraph into) {
        queueClosing = true;
        if (!exhausted) {
            if (lifecycle.deliverTail()) {
                into.allowTail();
            }
            into.closeQueue();
        }
    }

    /** Whether {@link #feedNext} waits for nothing now. */
    boolean mayFeed(RunningGraph into) {
        return splits.size() > 0 ? !wanted() || (hasRoom(into) && hasTurn(into)) : splits.closed();
    }

    /** Whether one of the splits that wait need not be left to whoever makes its entry, any more. */
    private boolean hasTurn(RunningGraph into) {
        return cache.isEmpty() || splits.waits(split -> !cache.get().road().comesSoon(split)) || !waits(into);
    }

    private static boolean hasRoom(RunningGraph graph) {
        return graph.queueSize() < Math.max(FED_AHEAD, graph.readers()) && graph.entryQueueSize() < FED_AHEAD;
    }

    private boolean wanted() {
        return !exhausted && !lifecycle.stopped();
    }

    private void remember(AssignedSplit split) {
        synchronized (sessionGuard) {
            fed++;
            holding = false;
            fedLast.addLast(split);
            if (fedLast.size() > FED_REMEMBERED) {
                fedLast.removeFirst();
            }
        }
    }

    /** Whether the graph will be given nothing more, so that a short batch may be its last. */
    boolean queueClosing() {
        return queueClosing;
    }

    /** The graph has come to its end, and takes nothing more. */
    void exhausted() {
        exhausted = true;
    }

    /** The session is about to be closed: it is asked for no number any more. */
    void forgetSession() {
        synchronized (sessionGuard) {
            session = Optional.empty();
        }
    }

    /** The splits that were fed lately, the oldest first. */
    List<AssignedSplit> fedLast() {
        synchronized (sessionGuard) {
            return new ArrayList<>(fedLast);
        }
    }

    /** Splits assigned whose reading has not begun. */
    int unopened() {
        synchronized (sessionGuard) {
            if (exhausted) {
                return 0;
            }
            int waiting = splits.size() + (holding ? 1 : 0);
            try {
                long within = session.map(graph -> graph.queueSize() + graph.entryQueueSize())
                        .orElse(0L);
                pace.seen(fed - within, waiting + within == 0, nanoTime.getAsLong());
                return waiting + (int) within;
            } catch (CancellationException stopped) {
                return 0;
            } catch (EngineFailure unknown) {
                return waiting; // the attempt fails by what it reads, not by what is asked of it
            }
        }
    }

    /** Whether the graph is there. */
    boolean started() {
        return started;
    }

    /** Whether the graph has something to do: splits to open, or to come to its end. */
    boolean waited() {
        return queueClosing || unopened() > 0;
    }

    /** Elements that came through its transformations so far, a number for each together; 0 where nobody can tell. */
    long elementsSeen() {
        synchronized (sessionGuard) {
            try {
                return session.map(RunningGraph::metrics).orElse(List.of()).stream()
                                .mapToLong(NodeMetrics::elements)
                                .sum()
                        + fed;
            } catch (CancellationException | EngineFailure unknown) {
                return 0;
            }
        }
    }

    /** Mean seconds from one split's opening to the next; 0 until measured. */
    double splitSeconds() {
        synchronized (sessionGuard) {
            return pace.seconds();
        }
    }
}
