package io.praline.deploy.feed;

import io.praline.client.PralineClient;
import io.praline.topics.KafkaSettings;
import java.util.Optional;

/**
 * A feed's cluster.
 *
 * @param client of the feed's own, closed with this
 * @param kafka where its topics are
 * @param page the address of the page that shows it; empty where none is known
 */
public record FeedCluster(PralineClient client, KafkaSettings kafka, Optional<String> page) implements AutoCloseable {

    /** Where the page shows this job. */
    Optional<String> page(String job) {
        return page.map(address -> address.replaceFirst("/*$", "") + "/#/jobs/" + job);
    }

    @Override
    public void close() {
        client.close();
    }
}
