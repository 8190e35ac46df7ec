package io.praline.worker.attempt;

import io.praline.schema.AssignedSplit;
import io.praline.schema.FailureKind;
import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.metrics.AttemptReport;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Counts the records of an attempt's splits, beside the graph that reads them: an element is missing only where it is known
 * that there was one. The worker's threads for counting, which all attempts share.
 *
 * @param broken told where a split cannot be counted since its file cannot be read
 */
record SplitCounting(
        StartAttempt order,
        AttemptRun.Surroundings around,
        AttemptLifecycle lifecycle,
        Settlement settlement,
        AttemptReport report,
        Consumer<AttemptFailed> broken) {

    /** Counts a split that was assigned, some time later, unless it is counted when it is read. */
    void later(AssignedSplit split) {
        around.counting()
                .execute(() -> count(split, pipeline -> !pipeline.counted(order.getGuarantee(), order.getSkipBad())));
    }

    /** Counts a split that is about to be read; empty where that fails or nobody wants it any more. */
    OptionalLong now(AssignedSplit split) {
        OptionalLong records = count(split, pipeline -> true);
        if (records.isEmpty() && !lifecycle.stopped()) {
            fail(
                    split.getOrdinal(),
                    new AttemptFailed(
                            FailureKind.FAILED,
                            "split " + split.getOrdinal() + " does not say how many elements it has"));
        }
        return records;
    }

    private OptionalLong count(AssignedSplit split, Predicate<KnownPipeline> due) {
        if (lifecycle.stopped()) {
            return OptionalLong.empty();
        }
        long ordinal = split.getOrdinal();
        try {
            KnownPipeline pipeline = around.pipelines().apply(order.getPipelineDigest());
            if (!due.test(pipeline)) {
                return OptionalLong.empty();
            }
            OptionalLong records = SplitRecords.count(
                    around.worker(),
                    split.getSplit(),
                    pipeline.analysis(),
                    order.getSkipBad(),
                    () -> !lifecycle.stopped());
            records.ifPresent(counted -> report.opened(ordinal, counted));
            if (!pipeline.tracked(order.getGuarantee())) {
                settlement.forget(ordinal);
            } else if (records.isPresent()) {
                settlement.counted(ordinal, records.getAsLong());
            } else {
                settlement.openEnded(ordinal);
            }
            return records;
        } catch (CancellationException stopped) {
            // nobody waits for the number any more
        } catch (AttemptFailed e) {
            fail(ordinal, e);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            fail(ordinal, AttemptFailed.broke("split " + ordinal + " cannot be counted", e));
        } catch (Error e) {
            fail(ordinal, AttemptFailed.broke("split " + ordinal + " cannot be counted", e));
            throw e; // and with its thread the process ends
        }
        return OptionalLong.empty();
    }

    /** Whoever waits for the number would wait for ever. */
    private void fail(long ordinal, AttemptFailed why) {
        broken.accept(why);
        settlement.forget(ordinal);
    }
}
