package io.praline.dispatcher.convert;

import io.praline.schema.ClosedSplits;
import io.praline.schema.FileRun;
import io.praline.schema.LedgerPage;
import io.praline.schema.PlannedFiles;
import io.praline.schema.Split;
import io.praline.topics.BoundedText;
import io.praline.topics.Topics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** All that is public about the pages of a job's plan: of which files their splits are, and which of these are closed. */
public final class LedgerRecords {
    /** So that a page of nothing but long names is far from what a record holds. */
    private static final int MOST_NAME_BYTES = 500;

    private LedgerRecords() {}

    /** Of which files the splits of a page are. */
    public static LedgerPage files(String job, int plan, int page, List<Split> splits) {
        List<FileRun> runs = new ArrayList<>();
        for (Split split : splits) {
            String file = file(split.getPaths());
            int last = runs.size() - 1;
            if (last >= 0 && runs.get(last).getFile().equals(file)) {
                FileRun run = runs.get(last);
                runs.set(last, new FileRun(file, run.getSplits() + 1, plus(run.getBytes(), split.getBytes())));
            } else {
                runs.add(new FileRun(file, 1, split.getBytes()));
            }
        }
        return new LedgerPage(job, page, new PlannedFiles(plan, runs));
    }

    private static String file(List<String> paths) {
        if (paths.isEmpty()) {
            return "";
        }
        String more = paths.size() == 1 ? "" : " and " + (paths.size() - 1) + " more";
        return BoundedText.end(paths.get(0), MOST_NAME_BYTES) + more;
    }

    /** Numbers that are not negative; a sum that no number holds is the largest. */
    private static long plus(long one, long two) {
        long sum = one + two;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Which splits of a page are closed in an epoch, by their places on it. */
    public static LedgerPage closed(String job, int epoch, int page, BitSet closed) {
        return new LedgerPage(job, page, new ClosedSplits(epoch, ByteBuffer.wrap(closed.toByteArray())));
    }

    /** Under which key it goes. */
    public static String key(LedgerPage told) {
        return told.getBody() instanceof ClosedSplits closed
                ? Topics.closedKey(told.getJob(), closed.getEpoch(), told.getPage())
                : Topics.filesKey(told.getJob(), told.getPage());
    }

    /** The keys of the files of a plan. */
    public static List<String> filesKeys(String job, int pages) {
        return IntStream.range(0, pages)
                .mapToObj(page -> Topics.filesKey(job, page))
                .toList();
    }

    /** The keys of the closed splits of an epoch. */
    public static List<String> closedKeys(String job, int epoch, int pages) {
        return IntStream.range(0, pages)
                .mapToObj(page -> Topics.closedKey(job, epoch, page))
                .toList();
    }
}
