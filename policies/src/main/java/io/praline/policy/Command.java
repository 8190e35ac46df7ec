package io.praline.policy;

/** What must now be done for a job: targets, never steps, so that carrying one out twice does no harm. */
public sealed interface Command {

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R scaleTo(ScaleTo target);
    }

    /** The job should have these workers. */
    record ScaleTo(Target workers) implements Command {
        public ScaleTo(int remote, int local) {
            this(new Target(remote, local));
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.scaleTo(this);
        }
    }
}
