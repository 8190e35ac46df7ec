package io.praline.policy;

/** What must now be done for a job: targets, never steps, so that carrying one out twice does no harm. */
public sealed interface Command {

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R scaleTo(ScaleTo target);
    }

    /** The job should have this many workers. */
    record ScaleTo(int workers) implements Command {
        public ScaleTo {
            if (workers < 0) {
                throw new IllegalArgumentException("workers must not be negative, is " + workers);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.scaleTo(this);
        }
    }
}
