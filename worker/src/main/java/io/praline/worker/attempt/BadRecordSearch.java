package io.praline.worker.attempt;

import io.praline.identity.Ticket;
import io.praline.schema.AssignedSplit;
import io.praline.schema.FailureKind;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.assignment.MissingRecords;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.input.Feed;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.attempt.input.RecordPlace;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.planning.Compression;
import io.praline.worker.planning.CorruptFile;
import io.praline.worker.planning.DataReader;
import io.praline.worker.planning.RecordCounter;
import io.praline.worker.planning.RecordFormat;
import io.praline.worker.planning.TfRecordScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.roaringbitmap.RoaringBitmap;

/**
 * Finds the records that an attempt's pipeline failed on. TensorFlow says what went wrong and not where: the files are looked
 * through first, then splits, and halves of them, are run through the pipeline again by themselves until one record is left. Where
 * bad records are tolerated it is known which are missing, and each is run alone, to tell why.
 * Reads files and runs graphs for seconds, and throws {@link CancellationException} once nobody waits for what it finds. What
 * failed is searched for ten minutes at most: one task may have read for hours. The puller's thread.
 *
 * @param reader who reads the splits
 * @param settings of the attempt; a probe runs without tolerance, on one thread
 * @param graphs makes what runs a probe
 * @param cancellation of the attempt
 * @param until when it is given up, by {@link System#nanoTime}; empty: never
 */
public record BadRecordSearch(
        DataReader reader,
        KnownPipeline pipeline,
        TaskSettings settings,
        Surroundings.Graphs graphs,
        Cancellation cancellation,
        OptionalLong until) {
    /** Whoever waits for the job wants to know that it failed. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Splits that are run again; beyond them the failure is told without its record. */
    private static final int MOST_SPLITS = 16;

    /** Missing records, and several of them together, that are run again. */
    private static final int MOST_TRIES = 200;

    /** More records than a split has that cannot be counted beside the graph. */
    private static final long UNCOUNTED_RECORDS = 1L << 30;

    /** So many records are read again, with those that are skipped, to fill batches with one of them. */
    private static final long MOST_READ_AGAIN = 1 << 16;

    /** What a failure is to be told as. */
    public AttemptFailed of(EngineFailure failure, List<AssignedSplit> candidates) {
        return of(failure, candidates, LONGEST);
    }

    /** The same, searched for within this time. */
    AttemptFailed of(EngineFailure failure, List<AssignedSplit> candidates, Duration within) {
        OptionalLong end = OptionalLong.of(System.nanoTime() + within.toNanos());
        AttemptFailed found =
                new BadRecordSearch(reader, pipeline, settings, graphs, cancellation, end).found(failure, candidates);
        return settings.skipBad()
                ? found.advised(settings.tracked() ? BadRecords.TOO_EARLY : BadRecords.UNCOUNTED)
                : found;
    }

    private AttemptFailed found(EngineFailure failure, List<AssignedSplit> candidates) {
        for (AssignedSplit split : candidates) {
            Optional<AttemptFailed> damaged = damaged(split);
            if (damaged.isPresent()) {
                return damaged.get();
            }
        }
        if (!failure.dataAtFault()) {
            return new AttemptFailed(FailureKind.FAILED, "worker " + reader.worker() + ": " + failure.getMessage());
        }
        int tried = 0;
        boolean exonerated = false;
        for (AssignedSplit split : candidates) {
            if (tried++ >= MOST_SPLITS || over()) {
                break;
            }
            for (ShortBatches shortOnes : ShortBatches.values()) {
                Optional<Bad> bad = firstBad(split, shortOnes).filter(found -> !over());
                if (bad.isPresent() && failsInFullBatches(split, bad.get().record())) {
                    return AttemptFailed.ofRecords(
                            line(split, bad.get().record(), bad.get().why()), BadRecords.TOLERATE);
                }
                if (bad.isEmpty()) {
                    break;
                }
                exonerated = true;
            }
        }
        return new AttemptFailed(
                FailureKind.REFUSED,
                "the pipeline failed on its data"
                        + (over() ? BadRecords.NOT_FOUND : exonerated ? BadRecords.NOT_ALONE : "") + ": "
                        + failure.getMessage());
    }

    /**
     * Which of the missing elements could not be processed, and which were lost with them.
     *
     * @param missing did not come out, and no filter told of them
     * @param splits those they belong to, by ordinal
     * @param certain whether nothing else leaves elements out without a word
     */
    BadRecords bad(TicketSet missing, Map<Long, AssignedSplit> splits, boolean certain) {
        BadRecords.Builder bad = new BadRecords.Builder();
        Map<Long, List<Long>> records = new TreeMap<>();
        missing.forEach(ticket -> records.computeIfAbsent(Ticket.ordinal(ticket), ordinal -> new ArrayList<>())
                .add(Ticket.record(ticket)));
        AtomicInteger tries = new AtomicInteger(MOST_TRIES);
        records.forEach((ordinal, ofSplit) -> {
            AssignedSplit split = splits.get(ordinal);
            Optional<CorruptFile> damage = damage(split);
            List<Long> read = new ArrayList<>();
            for (long record : ofSplit) {
                if (damage.filter(found -> record >= found.record()).isPresent()) {
                    bad.addUnread(Ticket.of(ordinal, record), damage.get());
                } else {
                    read.add(record);
                }
            }
            MissingRecords.Found found = new MissingRecords(trial(split), tries).among(read, certain);
            found.failed().forEach((record, why) -> bad.add(Ticket.of(ordinal, record), line(split, record, why)));
            if (certain) {
                found.passed().forEach(record -> bad.addPassed(Ticket.of(ordinal, record), silent(split, record)));
                found.untried().forEach(record -> bad.addUntried(Ticket.of(ordinal, record), silent(split, record)));
            }
        });
        return bad.build();
    }

    private String silent(AssignedSplit split, long record) {
        return line(split, record, "it did not come out of the pipeline");
    }

    private MissingRecords.Trial trial(AssignedSplit split) {
        return new MissingRecords.Trial() {
            @Override
            public Optional<String> failure(List<Long> records) {
                cancellation.check();
                return probe(split, records).map(EngineFailure::getMessage);
            }

            @Override
            public boolean failsInFullBatches(long record) {
                return BadRecordSearch.this.failsInFullBatches(split, record);
            }
        };
    }

    /** From which record on TensorFlow does not read the split's file. */
    private Optional<CorruptFile> damage(AssignedSplit split) {
        if (format(split).orElse(null) instanceof RecordFormat.TfRecords records) {
            reader.await(split);
            try {
                for (String path : split.getSplit().getPaths()) {
                    check(split, path, records);
                }
            } catch (CorruptFile e) {
                return Optional.of(e);
            } catch (IOException e) {
                // it could be read a moment ago; the records are told without this cause
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private Optional<AttemptFailed> damaged(AssignedSplit split) {
        Optional<RecordFormat> format = format(split);
        reader.await(split);
        for (String path : split.getSplit().getPaths()) {
            try {
                if (!Files.exists(reader.file(split.getSplit(), path).path())) {
                    throw new NoSuchFileException(path);
                }
                if (format.isPresent() && format.get() instanceof RecordFormat.TfRecords records) {
                    check(split, path, records);
                }
            } catch (CorruptFile e) {
                return Optional.of(SplitRecords.corrupt(e));
            } catch (IOException e) {
                return Optional.of(SplitRecords.unreadable(reader.worker(), path, e));
            }
        }
        return Optional.empty();
    }

    private void check(AssignedSplit split, String path, RecordFormat.TfRecords records) throws IOException {
        if (records.compression() == Compression.NONE && split.getSplit().getKind() == SplitKind.RECORD_RANGE) {
            TfRecordScanner.scan(
                    reader.file(split.getSplit(), path),
                    split.getSplit().getFrom(),
                    split.getSplit().getUntil(),
                    TfRecordScanner.Check.CONTENT,
                    (index, offset, end) -> {
                        reader.goesOn();
                        cancellation.check();
                        return true;
                    });
        } else {
            RecordCounter.check(reader.file(split.getSplit(), path), records, wanted());
        }
    }

    private BooleanSupplier wanted() {
        return reader.goingOn(() -> !cancellation.requested());
    }

    /** Whether nobody should wait any longer. */
    private boolean over() {
        return until.stream().anyMatch(end -> System.nanoTime() - end >= 0);
    }

    private Optional<RecordFormat> format(AssignedSplit split) {
        int source = split.getSplit().getSource();
        return source < pipeline.analysis().sources().size()
                ? RecordFormat.of(pipeline.analysis().sources().get(source).kind())
                : Optional.empty();
    }

    /**
     * A record on which the pipeline fails.
     *
     * @param why what TensorFlow says
     */
    private record Bad(long record, String why) {}

    /** Whether a function for whole batches is given what is left at the end of what is run. */
    private enum ShortBatches {
        LET_THROUGH,
        HELD_BACK
    }

    /** The first record without which the split's beginning passes, with it fails. */
    private Optional<Bad> firstBad(AssignedSplit split, ShortBatches shortOnes) {
        long passes = 0;
        long fails = SplitRecords.count(reader, split.getSplit(), pipeline.analysis(), 1, wanted())
                .orElse(UNCOUNTED_RECORDS);
        Optional<EngineFailure> why = fails == 0 ? Optional.empty() : probe(split, 0, fails, 1, shortOnes);
        if (why.isEmpty()) {
            return Optional.empty();
        }
        // what nobody could count is met from its beginning, twice as much each time
        while (fails == UNCOUNTED_RECORDS && !over()) {
            long next = Math.max(1, 2 * passes);
            Optional<EngineFailure> more = probe(split, 0, next, 1, shortOnes);
            if (more.isPresent()) {
                why = more;
                fails = next;
            } else if (next >= UNCOUNTED_RECORDS / 2) {
                return Optional.empty();
            } else {
                passes = next;
            }
        }
        while (fails - passes > 1 && !over()) {
            long middle = passes + (fails - passes) / 2;
            Optional<EngineFailure> half = probe(split, 0, middle, 1, shortOnes);
            if (half.isPresent()) {
                why = half;
                fails = middle;
            } else {
                passes = middle;
            }
        }
        return Optional.of(new Bad(fails - 1, why.get().getMessage()));
    }

    /**
     * Whether a record fails where batches are full. What fails on a batch that is not fails on each beginning of a split that fills
     * none: so they are filled with the one record, or with it and those before it where that would read too much, or where
     * nothing can be left out since elements have no tickets.
     */
    private boolean failsInFullBatches(AssignedSplit split, long record) {
        long filling = elementsOfABatch();
        boolean again = (record + 1) * filling <= MOST_READ_AGAIN;
        long some = again ? record : Math.max(0, record + 1 - filling);
        long from = pipeline.analysis().exactlyOnce() ? some : 0;
        return probe(split, from, record + 1, again ? filling : 1, ShortBatches.LET_THROUGH)
                .isPresent();
    }

    /** How often some elements must come so that each is once in a batch that is full, where no other one comes out. */
    private long timesToFill(long elements) {
        Scope scope = pipeline.graph().scope();
        boolean drops = pipeline.graph().nodes().values().stream()
                .anyMatch(node -> DatasetOps.dropsRemainder(node, scope).orElse(false));
        return drops && elements > 0 ? 1 + (elementsOfABatch() + elements - 1) / elements : 1;
    }

    /** How many elements fill the batches that the pipeline makes, one in another. */
    private long elementsOfABatch() {
        Scope scope = pipeline.graph().scope();
        return pipeline.graph().nodes().values().stream()
                .flatMap(node -> DatasetOps.batchSize(node, scope).stream())
                .filter(size -> size > 0)
                .reduce(1L, (all, size) -> Math.min(all * size, MOST_READ_AGAIN + 1));
    }

    private String line(AssignedSplit split, long record, String cause) {
        String where = RecordPlace.of(split.getSplit(), record, isNumbered(split.getSplit()));
        return (where + " cannot be processed: " + reader.told(cause))
                .replaceAll("\\s*\\R\\s*", "; ")
                .replaceFirst("\\.$", "");
    }

    /** Runs some records by themselves; how the pipeline fails on them, if it does. */
    private Optional<EngineFailure> probe(AssignedSplit split, List<Long> records) {
        long until = records.get(records.size() - 1) + 1;
        RoaringBitmap skip = RoaringBitmap.bitmapOfRange(0, until);
        records.forEach(record -> skip.remove((int) (long) record));
        return probe(split, skip, until, 1, ShortBatches.LET_THROUGH);
    }

    /**
     * Runs the records from {@code from} to {@code until} (exclusive) by themselves.
     *
     * @param times how often they come, each time from the first to the last
     */
    private Optional<EngineFailure> probe(
            AssignedSplit split, long from, long until, long times, ShortBatches shortOnes) {
        RoaringBitmap skip = Settlement.skipOf(split);
        skip.add(0L, from);
        return probe(split, RoaringBitmap.and(skip, RoaringBitmap.bitmapOfRange(0, until)), until, times, shortOnes);
    }

    private Optional<EngineFailure> probe(
            AssignedSplit split, RoaringBitmap skip, long until, long least, ShortBatches shortOnes) {
        long times = Math.max(least, timesToFill(until - skip.getLongCardinality()));
        reader.await(split);
        TaskSettings alone = settings.withTracked(pipeline.analysis().exactlyOnce())
                .withThreads(1)
                .withPack(false)
                .withSkipBad(false)
                .withProfile(false)
                .withRenaming(reader.renaming());
        try (RunningGraph session = graphs.make(pipeline, alone, cancellation)) {
            FeedSplit part = Feed.split(split).skipping(skip);
            for (long time = 0; time < times; time++) {
                session.enqueue(isNumbered(split.getSplit()) ? part.limited(until) : part.taking(until));
            }
            if (shortOnes == ShortBatches.LET_THROUGH) {
                session.allowTail();
            }
            session.closeQueue();
            return failure(session);
        }
    }

    /** Whether what its reading makes is numbered, and not its records. */
    private boolean isNumbered(Split split) {
        return pipeline.analysis().sources().get(split.getSource()).numbered();
    }

    /** How the graph fails, if it does; what lies behind the failure is not looked at. */
    private Optional<EngineFailure> failure(RunningGraph session) {
        try {
            for (Optional<EngineBatch> next = session.next();
                    next.isPresent();
                    next = over() ? Optional.empty() : session.next()) {
                reader.goesOn();
                next.get().close();
            }
            return Optional.empty();
        } catch (EngineFailure failed) {
            return Optional.of(failed);
        }
    }
}
