package io.praline.dispatcher;

import java.util.List;
import org.apache.kafka.streams.processor.api.Record;

/** Statuses in pages for the simulation, as {@link DispatchProcessor} has them, of fewer bytes. */
public final class StatusPages {
    private final PagedStatuses statuses;

    /** @param most bytes of a record's value */
    public StatusPages(int most) {
        statuses = new PagedStatuses(most);
    }

    /** Records of a job's status, in their order. */
    public List<Record<byte[], byte[]>> records(String job, byte[] status) {
        return statuses.records(job, status, 0);
    }
}
