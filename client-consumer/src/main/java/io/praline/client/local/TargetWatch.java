package io.praline.client.local;

import io.praline.schema.ScalingTarget;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.ReaderWaits;
import io.praline.topics.log.TopicReader;
import java.time.Duration;
import java.util.Optional;

/**
 * The newest target of one pool, or of one job on one host. A broker or a registry that is away changes nothing: the last
 * target stays. Belongs to one thread.
 */
public final class TargetWatch implements LocalWorkers.Targets {
    private static final ReaderWaits WAITS =
            new ReaderWaits(Duration.ofMillis(50), Duration.ofSeconds(8), Duration.ofSeconds(1));

    private final LogSource source;
    private final String subject;
    private final TopicReader<ScalingTarget> reader;

    /**
     * Opens it.
     *
     * @param subject the pool, or {@code JOB@HOST}
     * @throws ServiceUnreachable if Kafka does not answer within ten seconds, has no topic of targets, or does not allow
     *     it to be read
     */
    public TargetWatch(LogSource source, String subject) {
        this.source = source;
        this.subject = subject;
        this.reader = TopicReader.fromBeginning(source, Topics.SCALING_COMMANDS, Optional.of(subject), WAITS);
    }

    @Override
    public String subject() {
        return subject;
    }

    /**
     * The newest target that came; waits so long for one. What a registry that is away does not let be read comes later.
     *
     * @throws ServiceUnreachable if the user is not let in or not allowed to read any more
     */
    @Override
    public Optional<ScalingTarget> poll(Duration wait) {
        try {
            return reader.pollNewest(wait).stream()
                    .flatMap(entry -> taken(entry).stream())
                    .findFirst();
        } catch (ServiceUnreachable away) {
            if (ServiceUnreachable.isRefusal(away)) {
                throw away;
            }
            return Optional.empty();
        }
    }

    private Optional<ScalingTarget> taken(TopicReader.Entry<ScalingTarget> entry) {
        Optional<ScalingTarget> negative = entry.value().filter(target -> target.getWorkers() < 0);
        negative.ifPresent(target ->
                source.unreadable().accept(entry.came(), "workers must not be negative, is " + target.getWorkers()));
        return negative.isPresent() ? Optional.empty() : entry.value();
    }

    @Override
    public void close() {
        reader.close();
    }
}
