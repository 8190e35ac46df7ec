package io.praline.deploy.cli;

import io.praline.deploy.page.PageData;
import io.praline.deploy.page.PageServer;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.topics.KafkaSettings;
import java.util.Optional;

/** The page beside a cluster, which goes on without it where there can be none. */
final class PageOfACluster implements AutoCloseable {
    private final Optional<PageData> data;
    private final Optional<PageServer> server;

    private PageOfACluster(Optional<PageData> data, Optional<PageServer> server) {
        this.data = data;
        this.server = server;
    }

    /** On loopback alone, at the page's usual port or any that is free. */
    static PageOfACluster open(KafkaSettings kafka, OutputOptions output) {
        Optional<PageData> data = Optional.empty();
        try {
            data = Optional.of(PageData.live(kafka, DispatcherConfig.USUAL_APPLICATION));
            PageServer server = PageServer.startWhereFree(data.get(), "127.0.0.1", Optional.empty());
            return new PageOfACluster(data, Optional.of(server));
        } catch (RuntimeException none) {
            data.ifPresent(PageData::close);
            output.note("there is no page: " + Failures.oneLine(none.getMessage()));
            return new PageOfACluster(Optional.empty(), Optional.empty());
        }
    }

    /** Where it is; empty where there is none. */
    Optional<String> url() {
        return server.map(PageServer::url);
    }

    @Override
    public void close() {
        server.ifPresent(PageServer::close);
        data.ifPresent(PageData::close);
    }
}
