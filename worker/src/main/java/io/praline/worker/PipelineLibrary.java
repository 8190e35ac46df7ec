package io.praline.worker;

import com.google.protobuf.ByteString;
import io.praline.schema.FailureKind;
import io.praline.schema.GraphContent;
import io.praline.schema.PipelineEntry;
import io.praline.topics.Agreements;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.ReaderWaits;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import io.praline.worker.attempt.AttemptFailed;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.planning.GraphFile;
import io.praline.worker.profile.OrderTrials;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Pipelines by their digest: the last ones are kept, others are read from the topic. Safe for several threads. */
final class PipelineLibrary implements OrderTrials.Library {
    private static final int KEPT = 32;

    /** Arrays in pipelines lie in files that nobody else sees, for as long as they are kept. */
    private static final long KEPT_BYTES = 2L * Agreements.LARGEST_GRAPH_BYTES;

    private static final ReaderWaits WAITS =
            new ReaderWaits(Duration.ofMillis(500), Duration.ofSeconds(8), Duration.ofSeconds(2));

    private final String pool;
    private final KafkaSettings kafka;
    private final AvroCodec codec;
    private final OpCatalogue ops;
    private final KeptPipelines kept = new KeptPipelines(KEPT, KEPT_BYTES);

    /** @param pool whose pipelines they are */
    PipelineLibrary(String pool, KafkaSettings kafka, AvroCodec codec, OpCatalogue ops) {
        this.pool = pool;
        this.kafka = kafka;
        this.codec = codec;
        this.ops = ops;
    }

    /** Under which key a pipeline's graph is written. */
    String key(PipelineEntry entry) {
        return Topics.graphKey(pool, entry.getDigest());
    }

    /** This worker has planned it. */
    synchronized void add(PipelineGraph graph) {
        kept.of(graph.digest(), digest -> new KnownPipeline(graph, PipelineAnalysis.of(graph)));
    }

    /**
     * The pipeline of a digest.
     *
     * @throws AttemptFailed if it cannot be had
     */
    @Override
    public synchronized KnownPipeline of(String digest) {
        return kept.of(digest, this::read);
    }

    @Override
    public Optional<Path> file(String digest) {
        try {
            return stored(digest).flatMap(GraphContent::getAddress).map(Path::of);
        } catch (ServiceUnreachable e) {
            throw new AttemptFailed(
                    FailureKind.FAILED, "where the graph " + digest + " lies cannot be read: " + e.getMessage());
        }
    }

    private KnownPipeline read(String digest) {
        try {
            GraphContent content = stored(Topics.graphKey(pool, digest))
                    // where a worker of before has written it
                    .or(() -> stored(digest + "/graph"))
                    .orElseThrow(() -> new AttemptFailed(
                            FailureKind.FAILED, "the topic " + Topics.PIPELINES.name() + " holds no graph " + digest));
            PipelineGraph graph = PipelineGraph.parse(bytes(content), ops);
            return new KnownPipeline(graph, PipelineAnalysis.of(graph));
        } catch (ServiceUnreachable | IOException e) {
            throw new AttemptFailed(FailureKind.FAILED, "the graph " + digest + " cannot be read: " + e.getMessage());
        } catch (RefusedPipeline e) {
            throw new AttemptFailed(FailureKind.REFUSED, e.getMessage());
        }
    }

    private static ByteString bytes(GraphContent content) throws IOException {
        Optional<String> address = content.getAddress();
        if (address.isPresent()) {
            return GraphFile.read(Path.of(address.get()));
        }
        return ByteString.copyFrom(content.getGraph().duplicate());
    }

    /** The newest entry under the graph's key, found by reading its partition from the beginning. */
    private Optional<GraphContent> stored(String key) {
        LogSource source = new LogSource(kafka, codec, (record, reason) -> {
            throw new AttemptFailed(FailureKind.FAILED, "the entry of a graph cannot be read: " + reason);
        });
        try (TopicReader<PipelineEntry> reader =
                TopicReader.fromBeginning(source, Topics.PIPELINES, Optional.of(key), WAITS)) {
            return reader.newest().stream()
                    .flatMap(entry -> entry.value().stream())
                    .map(PipelineEntry::getBody)
                    .filter(GraphContent.class::isInstance)
                    .map(GraphContent.class::cast)
                    .findFirst();
        }
    }
}
