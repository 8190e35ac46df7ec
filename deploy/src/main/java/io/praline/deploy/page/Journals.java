package io.praline.deploy.page;

import io.praline.schema.JournalEntry;
import java.util.List;

/** Where the journal of a job is read. */
interface Journals {
    /**
     * What is kept of it, in order; empty where nothing is. May take seconds, and is asked by one thread at a time.
     *
     * @throws io.praline.topics.ServiceUnreachable if the cluster does not answer
     */
    List<JournalEntry> of(String job);
}
