package io.praline.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.server.common.KRaftVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderlessPartitionsTest {
    private static final ListenerName LISTENER = new ListenerName("PLAINTEXT");
    private static final int NO_LEADER = -1;

    private static <C extends KRaftMetadataCache> C withAPartitionWithoutALeader(C metadata) {
        Uuid topic = Uuid.randomUuid();
        MetadataDelta delta =
                new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        delta.replay(new TopicRecord().setName("jobs").setTopicId(topic));
        delta.replay(new PartitionRecord()
                .setTopicId(topic)
                .setPartitionId(0)
                .setReplicas(List.of(1))
                .setIsr(List.of(1))
                .setDirectories(List.of(Uuid.randomUuid()))
                .setLeader(NO_LEADER));
        metadata.setImage(delta.apply(MetadataProvenance.EMPTY));
        return metadata;
    }

    @Test
    void aPartitionWithoutALeaderIsNotOneThatIsDeleted() {
        LeaderlessPartitions metadata =
                withAPartitionWithoutALeader(new LeaderlessPartitions(1, () -> KRaftVersion.KRAFT_VERSION_0));

        assertThat(metadata.getPartitionLeaderEndpoint("jobs", 0, LISTENER)).contains(Node.noNode());
        assertThat(metadata.getPartitionLeaderEndpoint("jobs", 1, LISTENER)).isEmpty();
        assertThat(metadata.getPartitionLeaderEndpoint("gone", 0, LISTENER)).isEmpty();
    }

    // when this fails Kafka tells them apart itself, and the class is of no use any more
    @Test
    void kafkaItselfTakesItForDeleted() {
        KRaftMetadataCache metadata =
                withAPartitionWithoutALeader(new KRaftMetadataCache(1, () -> KRaftVersion.KRAFT_VERSION_0));

        assertThat(metadata.getPartitionLeaderEndpoint("jobs", 0, LISTENER)).isEqualTo(Optional.empty());
    }

    @Test
    void theEmbeddedBrokerLooksPartitionsUpThere(@TempDir Path dir) {
        List<Integer> ports = Ports.free(2);
        BrokerPlace place = new BrokerPlace(
                1,
                dir.resolve("kafka"),
                Uuid.randomUuid().toString(),
                List.of(ports.get(0)),
                List.of(ports.get(1)),
                BrokerPlace.LOOPBACK);
        try (EmbeddedBroker broker = EmbeddedBroker.start(place)) {
            assertThat(broker.metadata()).isInstanceOf(LeaderlessPartitions.class);
        }
    }
}
