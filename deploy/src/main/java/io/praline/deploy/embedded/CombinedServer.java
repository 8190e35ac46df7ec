package io.praline.deploy.embedded;

import java.util.concurrent.CompletableFuture;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server$;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Broker and controller in one process, put together as Kafka's own {@link KafkaRaftServer} does it, but that the broker
 * looks partitions up in {@link LeaderlessPartitions}.
 */
final class CombinedServer {
    private final ControllerServer controller;
    private final Broker broker;

    /** On a formatted directory; starts nothing. */
    CombinedServer(KafkaConfig config) {
        Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> found = KafkaRaftServer.initializeLogDirs(
                config,
                LoggerFactory.getLogger(KafkaRaftServer.class),
                "[KafkaRaftServer nodeId=" + config.nodeId() + "] ");
        MetaPropertiesEnsemble directories = found._1();
        Metrics metrics = Server$.MODULE$.initializeMetrics(
                config, Time.SYSTEM, directories.clusterId().orElseThrow());
        QuorumConfig quorum = config.quorumConfig();
        SharedServer shared = new SharedServer(
                config,
                directories,
                Time.SYSTEM,
                metrics,
                CompletableFuture.completedFuture(QuorumConfig.parseVoterConnections(quorum.voters())),
                QuorumConfig.parseBootstrapServers(quorum.bootstrapServers()),
                new StandardFaultHandlerFactory(),
                ServerSocketFactory.INSTANCE);
        broker = new Broker(shared);
        controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), found._2());
    }

    /** Returns when it serves. */
    void startup() {
        controller.startup();
        broker.startup();
    }

    /** What the broker knows of the cluster. Only of one that was started. */
    KRaftMetadataCache metadata() {
        return broker.metadataCache();
    }

    /** Ends it in order. */
    void shutdown() {
        broker.shutdown();
        controller.shutdown();
        broker.awaitShutdown();
        controller.awaitShutdown();
    }

    /** Kafka's broker with another way to look partitions up. */
    private static final class Broker extends BrokerServer {
        private final SharedServer shared;

        Broker(SharedServer shared) {
            super(shared);
            this.shared = shared;
        }

        /** Called once, as it starts, before anything gets hold of what is set. */
        @Override
        public void metadataCache_$eq(KRaftMetadataCache made) {
            super.metadataCache_$eq(new LeaderlessPartitions(
                    config().nodeId(), () -> shared.raftManager().client().kraftVersion()));
        }
    }
}
