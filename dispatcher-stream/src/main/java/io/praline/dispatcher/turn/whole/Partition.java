package io.praline.dispatcher.turn.whole;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.ledger.row.BufferedRows;
import io.praline.dispatcher.ledger.row.Rows;
import io.praline.dispatcher.turn.Dispatching;
import io.praline.dispatcher.turn.fault.BrokenState;
import io.praline.dispatcher.turn.fault.PoolFault;
import io.praline.dispatcher.turn.fault.PoolSteps;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.schema.JobState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A partition of the dispatcher's inputs: takes each event whole or not at all. What an event brings about is held back
 * until its turn has succeeded, and is then written in one place. After a throw nothing of it is left: what was changed
 * in memory is forgotten, and the next event finds it as the rows tell.
 *
 * <p>Memory loses with that what rows do not hold, as when another dispatcher takes over: when workers and consumers were
 * last heard of, from which their silence is counted anew; what beats said of attempts, until the next ones; what
 * actuators told; what tasks can make, until it is measured again. Owned by the stream thread.
 */
public final class Partition {
    private final Fresh fresh;
    private final Consumer<Effect> writer;
    private final BufferedRows rows;
    private final Effect effect;
    private final PoolSteps steps = new PoolSteps();
    private Optional<Dispatching> dispatching = Optional.empty();

    /** Makes a dispatcher that knows nothing yet. */
    @FunctionalInterface
    public interface Fresh {
        /** One that reads and writes these rows, says there what must be done, and takes these steps. */
        Dispatching dispatching(Rows rows, Outgoing out, PoolSteps steps);
    }

    /**
     * A partition whose rows lie in this store.
     *
     * @param writer writes an effect, its rows included. If it throws before it has written any, nothing was taken; if it
     *     throws later, the store's transaction must undo what it wrote
     */
    public Partition(Rows store, Fresh fresh, Consumer<Effect> writer) {
        this.fresh = fresh;
        this.writer = writer;
        this.rows = new BufferedRows(store);
        this.effect = new Effect(rows);
    }

    /** Takes the event; whatever is thrown meanwhile goes on, and the event was not taken. */
    public void take(Event event) {
        whole(knowing -> knowing.take(event));
    }

    /** The job fails for this reason; as {@link #take}, whole or not at all. */
    public void setAside(String job, String why, Instant at) {
        whole(knowing -> knowing.setAside(job, why, at));
    }

    /** Nothing is left of the job but that it failed for this reason; as {@link #take}, whole or not at all. */
    public void dropAllOf(String job, String why, Instant at) {
        whole(knowing -> knowing.dropAllOf(job, why, at));
    }

    /** What the pool does where nothing happens; none of it is left, whether or not it throws. */
    void standStill(String pool, Instant at) {
        try {
            known().standStill(pool, at);
        } finally {
            dispatching = Optional.empty();
            effect.clear();
        }
    }

    /** Events are taken without the step at which this was thrown, for a while. */
    void leaveOut(PoolFault fault) {
        steps.leaveOut(fault);
    }

    private void whole(Consumer<Dispatching> turn) {
        try {
            turn.accept(known());
            writer.accept(effect);
            steps.written();
        } catch (RuntimeException | Error thrown) {
            dispatching = Optional.empty();
            steps.dropped();
            throw thrown;
        } finally {
            effect.clear();
        }
    }

    /** Whether it has a job of this id. */
    boolean holds(String job) {
        return known().holds(job);
    }

    /** A pool for which time must be told; empty where there is none. */
    public Optional<String> anyPool() {
        return known().anyPool();
    }

    /** Live workers of all pools. */
    public int workers() {
        return known().workers();
    }

    /** Jobs that should move and have not for a while. */
    public int stuckJobs() {
        return known().stuckJobs();
    }

    /** Steps of pools that throw, and are left out until they are tried again. */
    public int stepsLeftOut() {
        return steps.size();
    }

    /** Jobs by where they are. */
    public Map<JobState, Integer> jobsByState() {
        return known().jobsByState();
    }

    /** The dispatcher that knows what the rows tell. */
    private Dispatching known() {
        if (dispatching.isEmpty()) {
            Dispatching restored = fresh.dispatching(rows, effect, steps);
            restore(restored);
            dispatching = Optional.of(restored);
        }
        return dispatching.get();
    }

    private static void restore(Dispatching restored) {
        try {
            restored.restore();
        } catch (BrokenState known) {
            throw known;
        } catch (RuntimeException thrown) {
            throw new BrokenState("the state cannot be taken over: " + thrown, thrown);
        }
    }
}
