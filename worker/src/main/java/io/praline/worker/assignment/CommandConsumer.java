package io.praline.worker.assignment;

import io.praline.schema.AssignSplits;
import io.praline.schema.CacheTargets;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.PlanSplits;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.ServeConsumers;
import io.praline.schema.StartAttempt;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerCommand;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.Waiting;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.ReaderWaits;
import io.praline.topics.log.TopicReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what is written on {@code worker-commands} for this worker's id from now on, and passes on what is meant for this
 * worker's process. Its own thread polls, and owns the reader once it is started; commands for others and for earlier
 * processes have no effect, but that of another process of this id is said ({@link Namesake}).
 */
public final class CommandConsumer implements AutoCloseable {
    /** Splits lie ahead, so a quarter of a second is soon enough, and an idle worker costs next to nothing. */
    private static final ReaderWaits WAITS =
            new ReaderWaits(Duration.ofMillis(250), Duration.ofSeconds(8), Duration.ofSeconds(2));

    private static final Logger LOG = LoggerFactory.getLogger(CommandConsumer.class);
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final LogSource source;
    private final TopicReader<WorkerCommand> reader;
    private final CommandFilter filter;
    private final Namesake namesake;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Finds the partition and its end: what is written to it from now on will be taken.
     *
     * @param failed told when reading cannot go on
     * @throws ServiceUnreachable if Kafka does not answer within ten seconds, has no topic of commands, or does not allow
     *     it to be read
     */
    public CommandConsumer(LogSource source, CommandFilter filter, Consumer<RuntimeException> failed) {
        this.source = source;
        this.filter = filter;
        namesake = new Namesake(filter.worker(), filter.incarnation());
        reader = TopicReader.fromEnd(source, Topics.WORKER_COMMANDS, Optional.of(filter.worker()), WAITS);
        thread = new Thread(() -> poll(failed), "commands");
    }

    /** Begins to read. */
    public void start() {
        thread.start();
    }

    private void poll(Consumer<RuntimeException> failed) {
        Waiting waiting = new Waiting(ZoneId.systemDefault());
        String kafka = "Kafka at " + source.kafka().bootstrap();
        try (reader) {
            while (!closing) {
                for (TopicReader.Entry<WorkerCommand> entry : pollPatiently()) {
                    entry.value().ifPresent(this::take);
                }
                waiting.look(kafka, reader.silent(), Instant.now()).ifPresent(LOG::warn);
            }
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    private void take(WorkerCommand command) {
        filter.take(command);
        namesake.look(command, Instant.now()).ifPresent(LOG::warn);
    }

    // what a registry that is away is needed for comes with the next look
    private List<TopicReader.Entry<WorkerCommand>> pollPatiently() {
        try {
            return reader.poll(LOOK);
        } catch (ServiceUnreachable away) {
            if (ServiceUnreachable.isRefusal(away)) {
                throw away;
            }
            LOG.warn("commands wait: {}", away.getMessage());
            LockSupport.parkNanos(LOOK.toNanos());
            return List.of();
        }
    }

    /** Ends the reading; waits for the command that is being taken. */
    @Override
    public void close() {
        closing = true;
        if (thread.getState() == Thread.State.NEW) {
            reader.close();
            return;
        }
        reader.wakeUp();
        try {
            thread.join(Duration.ofSeconds(5).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Passes on what is meant for one process of one worker. */
    public record CommandFilter(String worker, String incarnation, WorkerOrders orders) {
        /** Passes the command on, or does nothing where it is for another worker or for an earlier process of this one. */
        public void take(WorkerCommand command) {
            if (!command.getWorker().equals(worker) || !command.getIncarnation().equals(incarnation)) {
                return;
            }
            Object body = command.getBody();
            if (body instanceof PlanSplits plan) {
                orders.plan(plan);
            } else if (body instanceof StartAttempt start) {
                orders.start(start);
            } else if (body instanceof AssignSplits assign) {
                orders.assign(assign);
            } else if (body instanceof FinishAttempt finish) {
                orders.finish(finish);
            } else if (body instanceof FenceAttempt fence) {
                orders.fence(fence);
            } else if (body instanceof ConfirmFacts confirm) {
                orders.confirm(confirm);
            } else if (body instanceof ServeConsumers serve) {
                orders.serve(serve);
            } else if (body instanceof ProfilePipeline request) {
                orders.profile(request);
            } else if (body instanceof VerifyVariant request) {
                orders.verify(request);
            } else if (body instanceof CacheTargets targets) {
                orders.divide(targets);
            } else {
                throw new IllegalStateException(
                        "no command is a " + body.getClass().getName());
            }
        }
    }
}
