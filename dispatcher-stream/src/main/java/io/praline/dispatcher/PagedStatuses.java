package io.praline.dispatcher;

import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.topics.log.PagedValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Statuses as records: one that is larger than a record may be in several, as {@link PagedValue} has it. In memory is how
 * many the last one had, so that pages go that the next one does not need; what is forgotten of that goes with the job.
 * Owned by the stream thread.
 */
final class PagedStatuses {
    private final Map<String, Integer> pages = new HashMap<>();
    private final int most;

    PagedStatuses() {
        this(PagedValue.MOST_BYTES);
    }

    /** @param most bytes of a record's value */
    PagedStatuses(int most) {
        this.most = most;
    }

    /**
     * Records of a job's status, in the order in which they must be written.
     *
     * @throws JobFault if they would be more than anybody reads
     */
    List<Record<byte[], byte[]>> records(String job, byte[] status, long now) {
        byte[] key = job.getBytes(StandardCharsets.UTF_8);
        List<byte[]> parts = PagedValue.cut(status, most);
        if (parts.size() > PagedValue.MOST_PAGES) {
            throw new JobFault(
                    job,
                    new IllegalStateException(
                            "its status takes " + status.length + " bytes, more than " + PagedValue.MOST_PAGES * most));
        }
        int more = parts.size() - 1;
        List<Record<byte[], byte[]>> records = new ArrayList<>();
        for (int page = 1; page <= more; page++) {
            records.add(new Record<>(PagedValue.key(key, page), parts.get(page), now));
        }
        for (int page = more + 1; page <= pages.getOrDefault(job, 0); page++) {
            records.add(new Record<>(PagedValue.key(key, page), null, now));
        }
        Record<byte[], byte[]> head = new Record<>(key, parts.get(0), now);
        if (more > 0) {
            PagedValue.tell(head.headers(), more, status);
            pages.put(job, more);
        } else {
            pages.remove(job);
        }
        records.add(head);
        return records;
    }

    /** Records by which nothing is left of a job, whatever it had and whoever wrote it. */
    List<Record<byte[], byte[]>> none(String job, long now) {
        byte[] key = job.getBytes(StandardCharsets.UTF_8);
        List<Record<byte[], byte[]>> records = new ArrayList<>();
        records.add(new Record<>(key, null, now));
        for (int page = 1; page < PagedValue.MOST_PAGES; page++) {
            records.add(new Record<>(PagedValue.key(key, page), null, now));
        }
        pages.remove(job);
        return records;
    }
}
