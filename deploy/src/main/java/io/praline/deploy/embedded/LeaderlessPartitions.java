package io.praline.deploy.embedded;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.server.common.KRaftVersion;

/**
 * What a broker knows of the cluster, where a partition that has no leader just now is told from one that was deleted. In
 * Kafka 4.3.1 both look the same to the coordinator of transactions, which then leaves the end of a transaction off the
 * partition, writes down that the transaction has ended, and so keeps the partition's readers waiting for ever: the rule
 * whenever a broker that was killed within a transaction comes back.
 */
final class LeaderlessPartitions extends KRaftMetadataCache {

    LeaderlessPartitions(int node, Supplier<KRaftVersion> version) {
        super(node, version);
    }

    /** The leader; {@link Node#noNode} where there is none and one will come; empty where the partition is deleted. */
    @Override
    public Optional<Node> getPartitionLeaderEndpoint(String topic, int partition, ListenerName listener) {
        Optional<Node> leader = super.getPartitionLeaderEndpoint(topic, partition, listener);
        return leader.isEmpty() && exists(topic, partition) ? Optional.of(Node.noNode()) : leader;
    }

    private boolean exists(String topic, int partition) {
        TopicImage known = currentImage().topics().getTopic(topic);
        return known != null && known.partitions().containsKey(partition);
    }
}
