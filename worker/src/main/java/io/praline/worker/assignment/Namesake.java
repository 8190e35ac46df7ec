package io.praline.worker.assignment;

import io.praline.schema.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Another process that was started by this worker's id and is alive too, as where a unit was copied to a second host with its id,
 * or a host that was thought dead wakes up. The dispatcher hears the one that came last, and nothing of this one: commands by
 * the id that go to the other one, and none to this one, are all that it can know of it. The thread of the commands.
 */
final class Namesake {
    /** What was written for a process that is gone by now has passed by then. */
    private static final Duration SURE = Duration.ofSeconds(30);

    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final String worker;
    private final String incarnation;
    private Optional<Instant> since = Optional.empty();
    private Optional<Instant> said = Optional.empty();

    Namesake(String worker, String incarnation) {
        this.worker = worker;
        this.incarnation = incarnation;
    }

    /** Takes note of a command; gives what is to be said of it, once a minute. */
    Optional<String> look(WorkerCommand command, Instant at) {
        if (!command.getWorker().equals(worker)) {
            return Optional.empty();
        }
        if (command.getIncarnation().equals(incarnation)) {
            since = Optional.empty();
            return Optional.empty();
        }
        Duration time = Duration.between(since.orElse(at), at);
        since = since.or(() -> Optional.of(at));
        boolean lately = said.filter(then -> Duration.between(then, at).compareTo(AGAIN) < 0)
                .isPresent();
        if (time.compareTo(SURE) < 0 || lately) {
            return Optional.empty();
        }
        said = Optional.of(at);
        return Optional.of("what is wanted of worker " + worker + " has gone to another process for " + time.toSeconds()
                + " s, and nothing to this one: of several that are started by one id the last one is heard, and the others do"
                + " nothing; end one of them, or give it an id of its own");
    }
}
