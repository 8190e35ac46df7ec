package io.praline.tests.corpus;

import io.praline.client.JobResult;
import java.util.List;
import java.util.Locale;

/**
 * A line of the file of results.
 *
 * @param tasks the most that served one epoch at a time; 0 where it did not run
 * @param promise what its job promised; empty where it did not run
 * @param epochs how many epochs it ran
 * @param kept elements that came from entries
 */
record Result(
        String program,
        Kind kind,
        long seed,
        Verdict verdict,
        int tasks,
        String promise,
        double seconds,
        int batches,
        int epochs,
        long kept) {

    static final String HEAD = "program\trun\tseed\toutcome\ttasks\tpromise\tseconds\tbatches\tepochs\tkept\tremark";

    /** A kind of run. */
    enum Kind {
        FIRST_SEED,
        SECOND_SEED,
        /** Entries are made of all that can be kept. */
        ENTRIES_MADE,
        /** They are read, by another job with the same seed. */
        ENTRIES_READ,
        DEATH
    }

    static Result of(Program program, Kind kind, long seed, Verdict verdict, Ended ended) {
        return new Result(
                program.name(),
                kind,
                seed,
                verdict,
                ended.tasks(),
                ended.result()
                        .map(JobResult::guarantee)
                        .map(promise -> promise.name().toLowerCase(Locale.ROOT))
                        .orElse(""),
                ended.time().toMillis() / 1e3,
                ended.batches(),
                ended.epochs(),
                ended.result().map(result -> result.cache().hits()).orElse(0L));
    }

    static Result read(String line) {
        String[] cells = line.split("\t", -1);
        return new Result(
                cells[0],
                Kind.valueOf(cells[1]),
                Long.parseLong(cells[2]),
                new Verdict(Verdict.Outcome.valueOf(cells[3]), cells[10]),
                Integer.parseInt(cells[4]),
                cells[5],
                Double.parseDouble(cells[6]),
                Integer.parseInt(cells[7]),
                Integer.parseInt(cells[8]),
                Long.parseLong(cells[9]));
    }

    String line() {
        return String.join(
                "\t",
                List.of(
                        program,
                        kind.name(),
                        Long.toString(seed),
                        verdict.outcome().name(),
                        Integer.toString(tasks),
                        promise,
                        Double.toString(seconds),
                        Integer.toString(batches),
                        Integer.toString(epochs),
                        Long.toString(kept),
                        verdict.remark()));
    }

    boolean isWrong() {
        return verdict.outcome() == Verdict.Outcome.WRONG;
    }
}
