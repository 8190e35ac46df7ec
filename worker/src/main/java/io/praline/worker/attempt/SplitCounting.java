package io.praline.worker.attempt;

import io.praline.schema.AssignedSplit;
import io.praline.schema.FailureKind;
import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.attempt.entry.CacheRoad.Counted;
import io.praline.worker.attempt.entry.CacheUse;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.EntryKey;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.patience.Asking;
import io.praline.worker.storage.patience.PatientThreads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Counts the records of an attempt's splits, beside the graph that reads them: an element is missing only where it is known
 * that there was one. The worker's threads for counting, which all attempts share. Where a file system does not answer, the
 * attempt says so, and fails when its patience is over.
 */
final class SplitCounting {
    /** As long as with a store of objects. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final StartAttempt order;
    private final Surroundings around;
    private final DataReader reader;
    private final AttemptLifecycle lifecycle;
    private final Settlement settlement;
    private final AttemptReport report;
    private final Supplier<Optional<CacheUse>> cache;
    private final Consumer<AttemptFailed> broken;
    private final Map<Long, String> heldUp = new ConcurrentSkipListMap<>();

    /**
     * Of an attempt.
     *
     * @param reader who reads
     * @param cache entries that say how many records a split has; empty before the attempt's graph is made
     * @param broken told where a split cannot be counted since its file cannot be read
     */
    SplitCounting(
            StartAttempt order,
            Surroundings around,
            DataReader reader,
            AttemptLifecycle lifecycle,
            Settlement settlement,
            AttemptReport report,
            Supplier<Optional<CacheUse>> cache,
            Consumer<AttemptFailed> broken) {
        this.order = order;
        this.around = around;
        this.reader = reader;
        this.lifecycle = lifecycle;
        this.settlement = settlement;
        this.report = report;
        this.cache = cache;
        this.broken = broken;
    }

    /** Something of a split that is done on a thread for counting. */
    private final class Count implements PatientThreads.Patient {
        private final long ordinal;
        private final Runnable what;

        Count(long ordinal, Runnable what) {
            this.ordinal = ordinal;
            this.what = what;
        }

        @Override
        public void run() {
            try {
                what.run();
            } finally {
                heldUp.remove(ordinal);
            }
        }

        @Override
        public boolean heldUp(String file, Duration time) {
            if (lifecycle.stopped()) {
                heldUp.remove(ordinal);
                return true;
            }
            String why = "worker " + reader.worker() + " cannot count the records of split " + ordinal + ": " + file
                    + " has not answered for " + time.toSeconds() + " s; see to the file system that it lies on, there";
            heldUp.put(ordinal, why);
            if (time.compareTo(PATIENCE) < 0) {
                return false;
            }
            fail(ordinal, AttemptFailed.stuck(why, time));
            return true;
        }
    }

    /** Why what is counted is not counted yet, in a line; empty where nothing is held up. */
    Optional<String> waitsFor() {
        return heldUp.values().stream().findFirst();
    }

    /** Counts a split that was assigned, some time later, unless it is counted when it is read. */
    void later(AssignedSplit split) {
        reader.staged().hold(); // it may be counted when all has been read
        around.counting().execute(new Count(split.getOrdinal(), () -> {
            Optional<Counted> kept = kept(split);
            if (kept.isPresent()) {
                countWhatIsThere(split, kept);
            } else {
                countWhenThere(split);
            }
        }));
    }

    /** How many records it has, where an entry says so, so that nothing need be fetched. */
    private Optional<Counted> kept(AssignedSplit split) {
        Asking.about("the store of entries, of " + file(split) + ",");
        try {
            return cache.get().flatMap(use -> use.road().counted(split));
        } catch (RuntimeException | LinkageError | StackOverflowError unknown) {
            return Optional.empty(); // who counts it meets the same, and tells it
        } finally {
            Asking.nothing();
        }
    }

    private static String file(AssignedSplit split) {
        List<String> paths = split.getSplit().getPaths();
        return paths.isEmpty() ? "split " + split.getOrdinal() : paths.get(0);
    }

    private void countWhenThere(AssignedSplit split) {
        var unused = reader.staged().ahead(split).whenComplete((there, failed) -> {
            if (failed == null) {
                around.counting()
                        .execute(new Count(split.getOrdinal(), () -> countWhatIsThere(split, Optional.empty())));
            } else {
                reader.staged().close();
                unread(split, failed);
            }
        });
    }

    private void countWhatIsThere(AssignedSplit split, Optional<Counted> kept) {
        try {
            count(split, kept, pipeline -> !isCountedWhenRead(pipeline));
        } finally {
            reader.staged().close();
        }
    }

    private boolean isCountedWhenRead(KnownPipeline pipeline) {
        return pipeline.counted(order.getGuarantee(), order.getSkipBad())
                && cache.get().isEmpty();
    }

    private void unread(AssignedSplit split, Throwable failed) {
        Throwable why = failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
        if (why instanceof StoreFailed known) {
            fail(split.getOrdinal(), AttemptFailed.of(known));
        } else if (!(why instanceof CancellationException)) {
            fail(split.getOrdinal(), AttemptFailed.broke("split " + split.getOrdinal() + " cannot be fetched", why));
        }
    }

    /** Counts a split that is about to be read; empty where that fails or nobody wants it any more. */
    OptionalLong now(AssignedSplit split) {
        OptionalLong records = count(split, kept(split), pipeline -> true);
        if (records.isEmpty() && !lifecycle.stopped()) {
            fail(
                    split.getOrdinal(),
                    new AttemptFailed(
                            FailureKind.FAILED,
                            "split " + split.getOrdinal() + " does not say how many elements it has"));
        }
        return records;
    }

    /** @param kept by an entry that may be gone by now; empty where none was there: to ask again is a request to a bucket */
    private OptionalLong count(AssignedSplit split, Optional<Counted> kept, Predicate<KnownPipeline> due) {
        if (lifecycle.stopped()) {
            return OptionalLong.empty();
        }
        long ordinal = split.getOrdinal();
        try {
            KnownPipeline pipeline = around.pipelines().apply(order.getPipelineDigest());
            if (!due.test(pipeline)) {
                return OptionalLong.empty();
            }
            Asking.about(file(split));
            Optional<EntryKey> as = kept.map(Counted::as).or(() -> cache.get().flatMap(use -> use.keptAs(split)));
            OptionalLong records = kept.isPresent()
                    ? OptionalLong.of(kept.get().records())
                    : SplitRecords.count(
                            reader,
                            split.getSplit(),
                            pipeline.analysis(),
                            order.getSkipBad(),
                            reader.goingOn(() -> !lifecycle.stopped()));
            records.ifPresent(counted -> report.opened(ordinal, counted));
            if (!pipeline.tracked(order.getGuarantee())) {
                settlement.forget(ordinal);
            } else if (records.isPresent()) {
                settlement.counted(ordinal, records.getAsLong());
                long all = records.getAsLong();
                cache.get().ifPresent(use -> use.counted(split, all, as));
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
        } finally {
            Asking.nothing();
        }
        return OptionalLong.empty();
    }

    /** Whoever waits for the number would wait for ever. */
    private void fail(long ordinal, AttemptFailed why) {
        broken.accept(why);
        settlement.forget(ordinal);
    }
}
