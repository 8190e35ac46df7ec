package io.praline.deploy.feed;

import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import java.nio.file.Path;

/** How a feed's cluster is found, and what only who runs pipelines can read. Any thread. */
public interface Connections extends AutoCloseable {

    /** A client of the cluster that the feed names, or that is to be found; with workers on this host where it allows them. */
    PralineClient open(FeedSpec feed) throws InterruptedException;

    /** The job of a pipeline in a file of named steps: its graph, its name and its components'. */
    JobSpec read(Path file);

    /** Ends what was started for feeds that named no cluster. */
    @Override
    void close();
}
