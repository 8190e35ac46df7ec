package io.praline.dispatcher;

import io.praline.dispatcher.turn.rules.Rules;
import io.praline.topics.Agreements;
import io.praline.topics.Topic;
import io.praline.topics.TopicAccess;
import io.praline.topics.Topics;
import io.praline.topics.log.PagedValue;
import io.praline.topics.registry.AvroCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;

/**
 * The dispatcher as Kafka Streams sees it: every input into one processor with one store, and out to every topic it
 * writes. Nothing in it starts a thread.
 */
final class DispatchTopology {
    /** The store of all rows. */
    static final String LEDGER = "ledger";

    private static final String PROCESSOR = "dispatch";

    /** Topics that it writes; the last is one of its inputs too, for the clock. */
    private static final List<Topic<?>> OUTPUTS = List.of(
            Topics.JOBS,
            Topics.WORKER_COMMANDS,
            Topics.PLACEMENT_DECISIONS,
            Topics.SCALING_COMMANDS,
            Topics.POOLS,
            Topics.CACHES,
            Topics.LEDGERS,
            Topics.PIPELINES,
            Topics.QUARANTINE,
            Topics.WORKER_HEARTBEATS);

    /** The store is restored from all of its changelog: small segments keep that short; a page of a plan may be long. */
    private static final Map<String, String> CHANGELOG = Map.of(
            "segment.bytes", Integer.toString(Agreements.COMPACTED_SEGMENT_BYTES),
            "min.cleanable.dirty.ratio", "0.1",
            "max.message.bytes", Integer.toString(Agreements.RECORD_BYTES));

    private DispatchTopology() {}

    /** Topics whose schemas it writes. */
    static List<Topic<?>> outputs() {
        return OUTPUTS;
    }

    /** What it does with topics. */
    static TopicAccess access() {
        List<Topic<?>> inputs =
                Topics.all().stream().filter(Topic::dispatcherInput).toList();
        return new TopicAccess(inputs, OUTPUTS);
    }

    /** The sink of a topic. */
    static String sink(Topic<?> topic) {
        return "to-" + topic.name();
    }

    /** Where the default partitioner of Kafka's own clients puts it, but a page where its value's head lies. */
    private static Optional<Set<Integer>> beside(String topic, byte[] key, byte[] value, int partitions) {
        return Optional.of(Set.of(Topics.partitionOf(PagedValue.owner(key), partitions)));
    }

    /** @param partitions of each of the inputs */
    static Topology of(AvroCodec codec, int partitions, Rules rules, DispatcherMetrics metrics) {
        Topology topology = new Topology();
        String[] inputs = Topics.all().stream()
                .filter(Topic::dispatcherInput)
                .map(Topic::name)
                .toArray(String[]::new);
        topology.addSource(
                AutoOffsetReset.earliest(),
                "inputs",
                new TakenFirst(codec),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                inputs);
        CommitPace commits = new CommitPace(System::nanoTime);
        topology.addProcessor(
                PROCESSOR, () -> new DispatchProcessor(codec, partitions, rules, metrics, commits), "inputs");
        topology.addStateStore(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(LEDGER), Serdes.Bytes(), Serdes.ByteArray())
                        .withLoggingEnabled(CHANGELOG)
                        .withCachingDisabled(),
                PROCESSOR);
        for (Topic<?> output : OUTPUTS) {
            topology.addSink(
                    sink(output),
                    output.name(),
                    new ByteArraySerializer(),
                    new ByteArraySerializer(),
                    DispatchTopology::beside,
                    PROCESSOR);
        }
        return topology;
    }
}
