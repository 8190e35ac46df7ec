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
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plans one after the other on a thread of their own, from the command to the topics. */
final class PlanWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlanWork.class);

    private final Planner planner;
    private final PipelineLibrary library;
    private final TopicWriter writer;
    private final WorkerReporter reporter;
    private final Set<String> taken = new HashSet<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread planning = new Thread(work, "planning");
        planning.setDaemon(true);
        return planning;
    });

    PlanWork(Planner planner, PipelineLibrary library, TopicWriter writer, WorkerReporter reporter) {
        this.planner = planner;
        this.library = library;
        this.writer = writer;
        this.reporter = reporter;
    }

    /** Takes an order, once. Called by the thread of the commands. */
    void take(PlanSplits order) {
        if (taken.add(order.getJob() + "/" + order.getPlan())) {
            reporter.planning(order.getJob());
            thread.execute(() -> make(order));
        }
    }

    private void make(PlanSplits order) {
        try {
            planner.plan(order, new Writing());
        } catch (ServiceUnreachable | Interrupted e) {
            // without an answer, and no longer listed in the heartbeat: the dispatcher orders it anew
            LOG.warn("the plan of job {} could not be written: {}", order.getJob(), e.getMessage());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            LOG.error("the plan of job {} broke", order.getJob(), e);
            answer(planner.broken(order, e));
        } finally {
            reporter.planned(order.getJob());
        }
    }

    private void answer(PlanMessage message) {
        try {
            new Writing().message(message);
        } catch (ServiceUnreachable | Interrupted e) {
            LOG.warn("the plan of job {} could not be answered: {}", message.getJob(), e.getMessage());
        }
    }

    private static final class Interrupted extends RuntimeException {
        Interrupted() {
            super("this worker stops");
        }
    }

    private final class Writing implements Planner.Output {
        @Override
        public void pipeline(PipelineEntry entry, PipelineGraph graph) {
            library.add(graph);
            try {
                writer.write(Topics.PIPELINES, library.key(entry), entry);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Interrupted();
            }
        }

        @Override
        public void message(PlanMessage message) {
            try {
                writer.write(Topics.SPLITS, message.getPool(), message);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Interrupted();
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
                LOG.warn("a plan is still being made while this worker stops");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
