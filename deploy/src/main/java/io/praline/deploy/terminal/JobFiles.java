package io.praline.deploy.terminal;

import io.praline.policy.Counted;
import io.praline.schema.ClosedSplits;
import io.praline.schema.EpochProgress;
import io.praline.schema.FileRun;
import io.praline.schema.JobStatus;
import io.praline.schema.LedgerPage;
import io.praline.schema.PlannedFiles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Of which files a job's splits are, and how many of them are closed in an epoch: what topic {@code ledgers} tells of it. One thread. */
public final class JobFiles {
    private final String job;
    private final SortedMap<String, LedgerPage> told = new TreeMap<>();

    public JobFiles(String job) {
        this.job = job;
    }

    /** A record of the topic, of this job or of another one. */
    public void take(String key, Optional<LedgerPage> page) {
        page.filter(its -> its.getJob().equals(job)).ifPresentOrElse(its -> told.put(key, its), () -> told.remove(key));
    }

    /** The epoch that began last, counted from 0. */
    public static int newestEpoch(JobStatus status) {
        return Math.max(0, status.getProgress().size() - 1);
    }

    /**
     * What is asked for.
     *
     * @param epoch counted from 0
     * @param open whether only files are wanted of which a split is open
     * @param from the first row, counted from 0
     * @param most rows
     */
    public record Asked(int epoch, boolean open, int from, int most) {}

    /** One file in an epoch. */
    private static final class Row {
        private final String file;
        private long splits;
        private long closed;
        private long bytes;

        Row(String file) {
            this.file = file;
        }

        boolean open() {
            return closed < splits;
        }

        Map<String, Object> object() {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("file", file.isEmpty() ? null : file);
            object.put("splits", splits);
            object.put("closed", closed);
            object.put("bytes", bytes);
            return object;
        }
    }

    /** For programs, as PROTOCOL.md has it. */
    public Map<String, Object> object(JobStatus status, Asked asked) {
        List<Row> rows = rows(status, asked.epoch());
        List<Row> matching = asked.open() ? rows.stream().filter(Row::open).toList() : rows;
        int from = Math.min(asked.from(), matching.size());
        int until = Math.min(matching.size() - from, asked.most()) + from;
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", job);
        object.put("epoch", asked.epoch());
        object.put("splits", status.getSplits());
        object.put(
                "closed",
                progress(status, asked.epoch())
                        .map(EpochProgress::getSplitsClosed)
                        .orElse(0L));
        object.put(
                "untold",
                Math.max(
                        0,
                        status.getSplits()
                                - rows.stream().mapToLong(row -> row.splits).sum()));
        object.put("files", rows.size());
        object.put("filesClosed", rows.stream().filter(row -> !row.open()).count());
        object.put("matching", matching.size());
        object.put("from", from);
        object.put(
                "rows", matching.subList(from, until).stream().map(Row::object).toList());
        return object;
    }

    /** For people: of what was asked for. */
    public static List<String> lines(Map<String, Object> object) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "epoch %s: %s of %s splits are closed, and %s of %s files%s",
                object.get("epoch"),
                object.get("closed"),
                object.get("splits"),
                object.get("filesClosed"),
                object.get("files"),
                object.get("untold").equals(0L)
                        ? ""
                        : "; of " + Counted.of((Long) object.get("untold"), "split") + " the file is not told"));
        for (Object each : (List<?>) object.get("rows")) {
            Map<?, ?> row = (Map<?, ?>) each;
            lines.add(String.format(
                    Locale.ROOT,
                    "  %s of %s  %s",
                    row.get("closed"),
                    row.get("splits"),
                    row.get("file") == null ? "of no file" : row.get("file")));
        }
        return lines;
    }

    /** In the order in which the plan has them first. */
    private List<Row> rows(JobStatus status, int epoch) {
        boolean complete =
                progress(status, epoch).map(EpochProgress::getComplete).orElse(false);
        SortedMap<Integer, PlannedFiles> files = new TreeMap<>();
        Map<Integer, BitSet> closed = new TreeMap<>();
        for (LedgerPage page : told.values()) {
            if (page.getBody() instanceof PlannedFiles planned && planned.getPlan() == status.getPlan()) {
                files.put(page.getPage(), planned);
            } else if (page.getBody() instanceof ClosedSplits some && some.getEpoch() == epoch) {
                closed.put(page.getPage(), BitSet.valueOf(some.getSplits().duplicate()));
            }
        }
        Map<String, Row> rows = new LinkedHashMap<>();
        files.forEach((number, page) -> {
            BitSet its = closed.getOrDefault(number, new BitSet());
            int at = 0;
            for (FileRun run : page.getRuns()) {
                Row row = rows.computeIfAbsent(run.getFile(), Row::new);
                row.splits += run.getSplits();
                row.bytes += run.getBytes();
                row.closed += complete
                        ? run.getSplits()
                        : its.get(at, at + run.getSplits()).cardinality();
                at += run.getSplits();
            }
        });
        return new ArrayList<>(rows.values());
    }

    private static Optional<EpochProgress> progress(JobStatus status, int epoch) {
        return status.getProgress().stream()
                .filter(its -> its.getEpoch() == epoch)
                .findFirst();
    }
}
