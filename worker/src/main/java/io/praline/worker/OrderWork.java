package io.praline.worker;

import io.praline.schema.GraphContent;
import io.praline.schema.PipelineEntry;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerEvent;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicWriter;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.profile.OrderTrials;
import io.praline.worker.profile.OrderTrials.Answer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures and tries orders of pipelines' steps, one request after the other, beside the attempts: from the command to the
 * topics. Each request has an answer, unless this worker stops or Kafka does not take it. The thread that waits for a request
 * is not the one that runs TensorFlow: what does not come back is left to itself, and the next request has its turn.
 */
final class OrderWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderWork.class);

    /** Five seconds are usual; the dispatcher asks somebody else after two minutes. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** An op that does not come back from a cancellation is left to itself. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String pool;
    private final OrderTrials trials;
    private final Output output;
    private final Duration longest;
    private final TakenOrders taken = new TakenOrders();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread ordering = new Thread(work, "ordering");
        ordering.setDaemon(true);
        return ordering;
    });

    /** Where answers go. */
    interface Output {
        /** A variant that others may be told to run. */
        void variant(PipelineEntry entry, PipelineGraph graph) throws InterruptedException;

        void event(WorkerEvent event) throws InterruptedException;
    }

    /** To topics, and a variant also to where this worker finds it. */
    record ToTopics(PipelineLibrary library, TopicWriter writer) implements Output {
        @Override
        public void variant(PipelineEntry entry, PipelineGraph graph) throws InterruptedException {
            library.add(graph);
            writer.write(Topics.PIPELINES, library.key(entry), entry);
        }

        @Override
        public void event(WorkerEvent event) throws InterruptedException {
            writer.write(Topics.WORKER_HEARTBEATS, event.getPool(), event);
        }
    }

    private interface Trial {
        Answer run(Cancellation cancellation) throws InterruptedException;
    }

    OrderWork(String pool, OrderTrials trials, Output output) {
        this(pool, trials, output, LONGEST);
    }

    /** @param longest that a request may take */
    OrderWork(String pool, OrderTrials trials, Output output, Duration longest) {
        this.pool = pool;
        this.trials = trials;
        this.output = output;
        this.longest = longest;
    }

    /** Takes a request, once. Called by the thread of the commands. */
    void take(ProfilePipeline request) {
        take(
                request.getJob() + "/" + request.getTrial(),
                cancellation -> trials.profile(request, cancellation),
                why -> trials.failed(request, why));
    }

    /** Takes a request, once. Called by the thread of the commands. */
    void take(VerifyVariant request) {
        take(
                request.getJob() + "/" + request.getTrial(),
                cancellation -> trials.verify(request, cancellation),
                why -> trials.failed(request, why));
    }

    private void take(String request, Trial trial, Function<String, Answer> failed) {
        if (taken.take(request)) {
            thread.execute(() -> {
                try {
                    tell(answer(request, trial, failed));
                } catch (ServiceUnreachable e) {
                    // the dispatcher hears nothing, and asks somebody else
                    LOG.warn("request {} could not be answered: {}", request, e.getMessage());
                } catch (RuntimeException | LinkageError | StackOverflowError e) {
                    LOG.error("the answer to request {} broke", request, e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private Answer answer(String request, Trial trial, Function<String, Answer> failed) throws InterruptedException {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Cancellation cancellation = new Cancellation();
        Thread trying = new Thread(
                () -> {
                    try {
                        answer.complete(trial.run(cancellation));
                    } catch (InterruptedException | RuntimeException | LinkageError | StackOverflowError e) {
                        answer.completeExceptionally(e);
                    }
                },
                "trial " + request);
        trying.setDaemon(true);
        trying.start();
        try {
            return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return failed.apply("it was not done after " + longest.toSeconds() + " s");
        } catch (ExecutionException broken) {
            LOG.error("request {} broke", request, broken.getCause());
            return failed.apply("it broke: " + broken.getCause());
        } finally {
            if (!answer.isDone()) {
                cancellation.request();
                trying.interrupt();
                trying.join(PATIENCE.toMillis());
            }
        }
    }

    private void tell(Answer answer) throws InterruptedException {
        if (answer.variant().isPresent()) {
            PipelineGraph graph = answer.variant().get().graph();
            GraphContent content = answer.variant()
                    .get()
                    .file()
                    .map(file -> new GraphContent(ByteBuffer.allocate(0), file.toString()))
                    .orElseGet(() -> new GraphContent(ByteBuffer.wrap(graph.toBytes()), null));
            output.variant(new PipelineEntry(graph.digest(), content), graph);
        }
        output.event(new WorkerEvent(pool, answer.body()));
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
                LOG.warn("an order of steps is still being tried while this worker stops");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
