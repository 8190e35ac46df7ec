package io.praline.worker;

import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicWriter;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.metrics.WorkerReporter;
import io.praline.worker.planning.Planner;
import io.praline.worker.storage.patience.PatientThreads;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans one after the other on threads of their own, from the command to the topics. One whose files lie where nobody answers
 * gives its turn to the next, and is answered by the name of the file when its patience is over.
 */
final class PlanWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlanWork.class);

    /** A file system that answers within this has been away for no longer than a server of it takes to start again. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** What is held up keeps a thread each, for as long as it is. */
    private static final int MOST_THREADS = 16;

    private final Planner planner;
    private final Output output;
    private final WorkerReporter reporter;
    private final Duration patience;
    private final TakenOrders taken = new TakenOrders();
    private final PatientThreads threads = new PatientThreads("planning", 1, MOST_THREADS, System::nanoTime);

    /** Where plans go. */
    interface Output {
        /** The pipeline as it was understood. */
        void pipeline(PipelineEntry entry, PipelineGraph graph) throws InterruptedException;

        void message(PlanMessage message) throws InterruptedException;
    }

    /** To topics, and a pipeline also to where this worker finds it. */
    record ToTopics(PipelineLibrary library, TopicWriter writer) implements Output {
        @Override
        public void pipeline(PipelineEntry entry, PipelineGraph graph) throws InterruptedException {
            library.add(graph);
            writer.write(Topics.PIPELINES, library.key(entry), entry);
        }

        @Override
        public void message(PlanMessage message) throws InterruptedException {
            writer.write(Topics.SPLITS, message.getPool(), message);
        }
    }

    PlanWork(Planner planner, Output output, WorkerReporter reporter) {
        this(planner, output, reporter, PATIENCE);
    }

    /** @param patience with a file system that does not answer */
    PlanWork(Planner planner, Output output, WorkerReporter reporter, Duration patience) {
        this.planner = planner;
        this.output = output;
        this.reporter = reporter;
        this.patience = patience;
    }

    /** Takes an order, once. Called by the thread of the commands. */
    void take(PlanSplits order) {
        if (taken.take(order.getJob() + "/" + order.getPlan())) {
            reporter.planning(order.getJob());
            threads.execute(new Plan(order));
        }
    }

    private static final class Interrupted extends RuntimeException {
        Interrupted(String why) {
            super(why);
        }
    }

    /** One plan, and all that is written of it. */
    private final class Plan implements PatientThreads.Patient, Planner.Output {
        private final PlanSplits order;
        private volatile boolean givenUp;

        Plan(PlanSplits order) {
            this.order = order;
        }

        @Override
        public void run() {
            try {
                planner.plan(order, this);
            } catch (ServiceUnreachable | Interrupted e) {
                // without an answer, and no longer listed in the heartbeat: the dispatcher orders it anew
                LOG.warn("the plan of job {} could not be written: {}", order.getJob(), e.getMessage());
            } catch (RuntimeException | LinkageError | StackOverflowError e) {
                LOG.error("the plan of job {} broke", order.getJob(), e);
                answer(planner.broken(order, e));
            } finally {
                if (!givenUp) {
                    reporter.planned(order.getJob());
                }
            }
        }

        @Override
        public boolean heldUp(String file, Duration time) {
            if (time.compareTo(patience) < 0) {
                return false;
            }
            answer(planner.unanswered(order, file, time));
            givenUp = true;
            reporter.planned(order.getJob());
            return true;
        }

        private void answer(PlanMessage message) {
            try {
                message(message);
            } catch (ServiceUnreachable | Interrupted e) {
                LOG.warn("the plan of job {} could not be answered: {}", message.getJob(), e.getMessage());
            }
        }

        /** Whoever was told that there is no plan is told no other thing when the file system answers after all. */
        private void requireWanted() {
            if (givenUp) {
                throw new Interrupted("it was given up");
            }
        }

        @Override
        public void pipeline(PipelineEntry entry, PipelineGraph graph) {
            requireWanted();
            try {
                output.pipeline(entry, graph);
            } catch (InterruptedException e) {
                throw stopped();
            }
        }

        @Override
        public void message(PlanMessage message) {
            requireWanted();
            try {
                output.message(message);
            } catch (InterruptedException e) {
                throw stopped();
            }
        }

        private Interrupted stopped() {
            Thread.currentThread().interrupt();
            return new Interrupted("this worker stops");
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
