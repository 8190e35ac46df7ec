package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.FinishAttempt;
import java.util.Optional;

/**
 * The stage of one attempt, and whether it is to finish, which is no stage: the order may come before the graph is made and
 * after it has come to its end. The puller's thread goes forward, any thread may fail it, the thread of the commands fences
 * it and has it finish. Who goes forward learns whether it was stopped meanwhile; a step that cannot be is an error.
 */
final class AttemptLifecycle {
    private final AttemptKey key;
    private volatile AttemptStage stage = new AttemptStage.Starting();
    private volatile Optional<FinishAttempt> finish = Optional.empty();

    AttemptLifecycle(AttemptKey key) {
        this.key = key;
    }

    AttemptStage stage() {
        return stage;
    }

    /** Whether it failed or was fenced: nothing more is delivered. */
    boolean stopped() {
        return stage.stopped();
    }

    boolean fenced() {
        return stage instanceof AttemptStage.Fenced;
    }

    /** The graph is made; false where it was stopped before. */
    boolean running() {
        return forward(new AttemptStage.Running());
    }

    /** All has come out of the graph; false where it was stopped before. */
    boolean settling() {
        return forward(new AttemptStage.Settling());
    }

    /** Its end is told; false where it was stopped before. */
    boolean ended() {
        return forward(new AttemptStage.Ended());
    }

    private synchronized boolean forward(AttemptStage next) {
        if (stage.stopped()) {
            return false;
        }
        become(next);
        return true;
    }

    /** It cannot go on; false where it was stopped before: the first failure is told, what follows from it is not. */
    synchronized boolean fail(AttemptFailed why) {
        if (stage.stopped()) {
            return false;
        }
        become(new AttemptStage.Failed(why));
        return true;
    }

    /** Nobody waits for it any more. */
    synchronized void fence() {
        become(new AttemptStage.Fenced());
    }

    /** The one place where the stage changes; its callers hold the lock. */
    private void become(AttemptStage next) {
        if (!stage.mayBecome(next)) {
            throw new IllegalStateException("attempt " + key + " cannot become " + next + ", is " + stage);
        }
        stage = next;
    }

    /** Nothing more will be assigned; false where that was said before. */
    synchronized boolean finish(FinishAttempt how) {
        if (finish.isPresent()) {
            return false;
        }
        finish = Optional.of(how);
        return true;
    }

    /** Whether it is to deliver a short last batch, as far as is known by now. */
    boolean deliverTail() {
        return finish.map(FinishAttempt::getDeliverTail).orElse(false);
    }

    /** Whether no attempt follows it in its job, as far as is known by now. */
    boolean last() {
        return finish.map(FinishAttempt::getLast).orElse(false);
    }
}
