package io.praline.worker.attempt;

/**
 * Where an attempt stands:
 *
 * <pre>
 *   Starting -> Running -> Settling -> Ended
 *   any of them -> Failed        the first failure stays
 *   any of them, Failed too -> Fenced -> Fenced
 * </pre>
 */
sealed interface AttemptStage {
    /** Whether the next stage may follow this one. */
    boolean mayBecome(AttemptStage next);

    /** Whether it goes to no end any more: nothing is delivered, and what is in flight is dropped. */
    default boolean stopped() {
        return false;
    }

    /** Its graph is being made. */
    record Starting() implements AttemptStage {
        @Override
        public boolean mayBecome(AttemptStage next) {
            return next instanceof Running || next.stopped();
        }
    }

    /** Splits go into the graph, batches come out. */
    record Running() implements AttemptStage {
        @Override
        public boolean mayBecome(AttemptStage next) {
            return next instanceof Settling || next.stopped();
        }
    }

    /** All has come out of the graph: what did not is searched for and told. */
    record Settling() implements AttemptStage {
        @Override
        public boolean mayBecome(AttemptStage next) {
            return next instanceof Ended || next.stopped();
        }
    }

    /** Its end is told. A file of an untracked pipeline that is counted late may still fail it. */
    record Ended() implements AttemptStage {
        @Override
        public boolean mayBecome(AttemptStage next) {
            return next.stopped();
        }
    }

    /** It cannot go on. */
    record Failed(AttemptFailed why) implements AttemptStage {
        @Override
        public boolean mayBecome(AttemptStage next) {
            return next instanceof Fenced;
        }

        @Override
        public boolean stopped() {
            return true;
        }
    }

    /** Nobody waits for it any more, and nothing more is told of it. */
    record Fenced() implements AttemptStage {
        @Override
        public boolean mayBecome(AttemptStage next) {
            return next instanceof Fenced;
        }

        @Override
        public boolean stopped() {
            return true;
        }
    }
}
