package io.praline.deploy.feed;

import io.praline.client.JobSpec;
import java.nio.file.Path;
import java.util.function.Consumer;

/** How a feed's cluster is found, and what only who runs pipelines can read. Any thread. */
public interface Connections extends AutoCloseable {

    /**
     * The cluster that the feed names, or that is to be found; with workers on this host where it allows them.
     *
     * @param waitsFor is told what it waits for from then on
     */
    FeedCluster open(FeedSpec feed, Consumer<String> waitsFor) throws InterruptedException;

    /** The job of a pipeline in a file of named steps: its graph, its name and its components'. */
    JobSpec read(Path file);

    /** The job of a pipeline in named steps, as such a file would hold it: its graph and its components' names. */
    JobSpec steps(String text);

    /** Ends what was started for feeds that named no cluster. */
    @Override
    void close();
}
