package io.praline.dispatcher.turn.whole;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.EventReader;
import io.praline.dispatcher.turn.fault.BrokenState;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.fault.PoolFault;
import io.praline.policy.Turn;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Takes events so that one that throws costs no more than the job it belongs to:
 *
 * <pre>
 *   throws once    taken again: memory is then what the rows tell, and what was wrong in it alone is gone
 *   throws again   the job at which it threw, or which the event is about, is set aside: it fails with the reason;
 *                  the event is taken without it
 *                  a step that is about a whole pool is left out for a while, if it throws without the event too;
 *                  the event is taken without it
 *   still throws   and no other job is to blame: nothing of the event is taken
 * </pre>
 *
 * All of it while the one record is held, so that nothing need be remembered of it: neither a restart nor another dispatcher
 * begins to count anew; but which steps are left out ({@link io.praline.dispatcher.turn.fault.PoolSteps}). Owned by the stream thread.
 */
public final class Containment {
    private final Partition partition;
    private final Predicate<RuntimeException> outside;

    /** @param outside whether something that was thrown is nobody's fault here, so that it goes on: a service that is away */
    public Containment(Partition partition, Predicate<RuntimeException> outside) {
        this.partition = partition;
        this.outside = outside;
    }

    /**
     * Takes the event.
     *
     * @param where the record that it was read from, for people
     * @return why the record is to be looked at by people; empty where it was taken in order
     */
    public Optional<String> take(Event event, String where) {
        Set<String> aside = new HashSet<>();
        Optional<String> why = Optional.empty();
        for (boolean first = true; ; first = false) {
            try {
                partition.take(event);
                // that time passed is no record's fault
                return event instanceof Event.Tick ? Optional.empty() : why;
            } catch (RuntimeException thrown) {
                letOn(thrown);
                if (first) {
                    continue;
                }
                if (thrown instanceof PoolFault fault && leavesOut(fault, event)) {
                    continue;
                }
                why = Optional.of(reason(thrown, event, where));
                Optional<String> job =
                        blamed(thrown, event).filter(partition::holds).filter(aside::add);
                if (job.isEmpty()) {
                    refuse(event, why.get());
                    return why;
                }
                setAside(job.get(), why.get(), event);
            } catch (StackOverflowError deep) {
                if (!first) {
                    why = Optional.of(reason(deep, event, where));
                    refuse(event, why.get());
                    return why;
                }
            }
        }
    }

    private void letOn(RuntimeException thrown) {
        RuntimeException cause = told(thrown) instanceof RuntimeException told ? told : thrown;
        if (cause instanceof BrokenState || outside.test(cause)) {
            throw cause;
        }
    }

    /** What was thrown, by whoever it was. */
    private static Throwable told(Throwable thrown) {
        return thrown instanceof JobFault || thrown instanceof PoolFault ? thrown.getCause() : thrown;
    }

    /**
     * Leaves the step out, if it is to blame; a record after which the pool cannot go on, as it could before, is to blame itself.
     */
    private boolean leavesOut(PoolFault fault, Event event) {
        if (event instanceof Event.Tick) {
            partition.leaveOut(fault);
            return true;
        }
        try {
            partition.standStill(event.pool(), fault.at());
            return false;
        } catch (PoolFault alone) {
            letOn(alone);
            partition.leaveOut(alone);
            return true;
        } catch (RuntimeException other) {
            letOn(other);
            return false;
        }
    }

    private static String reason(Throwable thrown, Event event, String where) {
        Throwable cause = told(thrown);
        String what = event instanceof Event.Tick ? "it cannot go on" : "the record " + where + " cannot be taken";
        return what + ": " + Turn.inALine(cause);
    }

    private static Optional<String> blamed(RuntimeException thrown, Event event) {
        return thrown instanceof JobFault fault ? Optional.of(fault.job()) : event.job();
    }

    /** The job fails; where it cannot even do that in order, nothing is left of it but that it failed. */
    private void setAside(String job, String why, Event event) {
        try {
            partition.setAside(job, why, event.at());
        } catch (RuntimeException | StackOverflowError thrown) {
            if (thrown instanceof RuntimeException told) {
                letOn(told);
            }
            drop(job, why, event);
        }
    }

    private void drop(String job, String why, Event event) {
        try {
            partition.dropAllOf(job, why, event.at());
        } catch (RuntimeException thrown) {
            letOn(thrown);
        }
    }

    /** Whoever waits for a job that could not be submitted is told. */
    private void refuse(Event event, String why) {
        Optional<Event> refused = EventReader.refused(event, why);
        if (refused.isPresent()) {
            try {
                partition.take(refused.get());
            } catch (RuntimeException thrown) {
                letOn(thrown);
            }
        }
    }
}
