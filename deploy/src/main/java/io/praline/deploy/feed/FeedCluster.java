package io.praline.deploy.feed;

import io.praline.client.PralineClient;
import io.praline.deploy.breakage.Breakage;
import io.praline.topics.KafkaSettings;
import java.util.Optional;

/**
 * A feed's cluster.
 *
 * @param client of the feed's own, closed with this
 * @param kafka where its topics are
 * @param page the address of the page that shows it; empty where none is known
 * @param breakage that of a cluster of this process's own; of another one it never is
 */
public record FeedCluster(PralineClient client, KafkaSettings kafka, Optional<String> page, Breakage breakage)
        implements AutoCloseable {

    /** Where the page shows this job. */
    Optional<String> page(String job) {
        return page.map(address -> address.replaceFirst("/*$", "") + "/#/jobs/" + job);
    }

    /** Whether it is of this process's own, with which its jobs go. */
    boolean own() {
        return !breakage.equals(Breakage.NEVER);
    }

    @Override
    public void close() {
        client.close();
    }
}
