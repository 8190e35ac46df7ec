package io.praline.deploy.sample;

import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/** Says why loops get nothing: each reason once, when nothing came for some seconds. Any thread. */
final class Waits {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Set<JobState> ENDED = EnumSet.of(JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED);

    private final Consumer<String> say;
    private final Set<String> said = new HashSet<>();

    private long elements = -1;
    private long sinceNanos;

    Waits(Consumer<String> say) {
        this.say = say;
    }

    /** How it stands now. */
    synchronized void told(Trainer.Moment moment, long nowNanos) {
        if (moment.elements() != elements) {
            elements = moment.elements();
            sinceNanos = nowNanos;
        } else if (nowNanos - sinceNanos >= PATIENCE.toNanos()) {
            moment.status()
                    .filter(known -> !ENDED.contains(known.getState()))
                    .filter(known -> !known.getReason().isEmpty() && said.add(known.getReason()))
                    .ifPresent(known -> say.accept(line(known)));
        }
    }

    private static String line(JobStatus known) {
        return "job " + known.getJob() + " is " + known.getState().name().toLowerCase(Locale.ROOT) + ": "
                + known.getReason();
    }
}
