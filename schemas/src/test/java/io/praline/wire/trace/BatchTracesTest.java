package io.praline.wire.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BatchTracesTest {
    private static final AttemptKey ATTEMPT = new AttemptKey("train-7", 1, 4);

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private long now = 1_000;

    private BatchTraces traces(Sampler sampler) {
        return BatchTraces.of(
                SdkTracerProvider.builder().setSampler(sampler).addSpanProcessor(SimpleSpanProcessor.create(spans)),
                () -> now);
    }

    private void deliver(BatchTraces worker, BatchTraces client, long sequence) {
        SentBatch sent = worker.made(ATTEMPT, 100, 4_096);
        sent.placed(0, 3, sequence);
        now += 20;
        sent.written();
        now += 5;
        TakenBatch taken = client.came(new LaneKey(ATTEMPT, 3), 0, sequence);
        now += 5;
        sent.released();
        now += 40;
        taken.taken();
        now += 200;
        taken.done();
    }

    // 100 in the graph, 20 in the outbox, 10 until the client has it; it came 5 before that, waits 45 and is used 200
    @Test
    void aBatchIsOneTraceOfBothProcesses() {
        deliver(traces(Sampler.alwaysOn()), traces(Sampler.alwaysOn()), 9);

        List<String> told = spans.getFinishedSpanItems().stream()
                .map(span -> span.getName() + " " + span.getStartEpochNanos() + ".." + span.getEndEpochNanos())
                .toList();
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "praline.batch 900..1030",
                        "make 900..1000",
                        "outbox 1000..1020",
                        "send 1020..1030",
                        "ready 1025..1070",
                        "loop 1070..1270");
        SpanData way = named("praline.batch");
        assertThat(way.getParentSpanId()).isEqualTo(SpanId.getInvalid());
        assertThat(way.getAttributes().asMap().toString())
                .contains("praline.job=train-7", "praline.generation=3", "praline.sequence=9", "praline.bytes=4096");
        assertThat(spans.getFinishedSpanItems()).allSatisfy(span -> {
            assertThat(span.getTraceId()).isEqualTo(way.getTraceId());
            if (span != way) {
                assertThat(span.getParentSpanId()).isEqualTo(way.getSpanId());
            }
        });
    }

    @Test
    void everyBatchHasATraceOfItsOwn() {
        BatchTraces worker = traces(Sampler.alwaysOn());
        Set<String> known = new TreeSet<>();
        for (LaneKey lane : List.of(
                new LaneKey(ATTEMPT, 3),
                new LaneKey(ATTEMPT, 4),
                new LaneKey(new AttemptKey("train-7", 1, 5), 3),
                new LaneKey(new AttemptKey("train-7", 2, 4), 3),
                new LaneKey(new AttemptKey("train-8", 1, 4), 3))) {
            for (int consumer : List.of(0, 1)) {
                SentBatch sent = worker.made(lane.attempt(), 1, 1);
                sent.placed(consumer, lane.generation(), 0);
                sent.released();
            }
        }
        spans.getFinishedSpanItems().forEach(span -> known.add(span.getTraceId()));
        assertThat(known).hasSize(10);
    }

    @Test
    void aBatchThatGetsAnotherLaneIsCalledByIt() {
        BatchTraces both = traces(Sampler.alwaysOn());
        SentBatch sent = both.made(ATTEMPT, 1, 1);
        sent.placed(0, 3, 9);
        sent.placed(1, 5, 2);
        sent.released();
        TakenBatch taken = both.came(new LaneKey(ATTEMPT, 5), 1, 2);
        taken.taken();
        taken.done();

        assertThat(named("loop").getTraceId()).isEqualTo(named("praline.batch").getTraceId());
    }

    @Test
    void whatWasNeverWrittenHasNoSending() {
        SentBatch sent = traces(Sampler.alwaysOn()).made(ATTEMPT, 1, 1);
        sent.placed(0, 3, 9);
        sent.released();

        assertThat(names()).containsExactlyInAnyOrder("praline.batch", "make", "outbox");
    }

    @Test
    void workerAndClientSampleTheSameBatches() {
        Sampler some = Sampler.parentBased(Sampler.traceIdRatioBased(0.3));
        BatchTraces worker = traces(some);
        BatchTraces client = traces(some);
        LongStream.range(0, 500).forEach(sequence -> deliver(worker, client, sequence));

        List<String> byWorker = traceIds("praline.batch");
        assertThat(byWorker).hasSizeBetween(90, 210).containsExactlyInAnyOrderElementsOf(traceIds("loop"));
    }

    @Test
    void thereAreNoneUnlessTheEnvironmentAsksForThem() {
        List<Map<String, String>> silent = List.of(
                Map.of(),
                Map.of("OTEL_TRACES_EXPORTER", "none"),
                Map.of("OTEL_TRACES_EXPORTER", "none", "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"),
                Map.of("OTEL_SDK_DISABLED", "true", "OTEL_TRACES_EXPORTER", "otlp"),
                Map.of("OTEL_SERVICE_NAME", "trainer"));
        assertThat(silent).allSatisfy(environment -> assertThat(BatchTraces.fromEnvironment(environment, "test"))
                .isEqualTo(Optional.empty()));
        assertThat(BatchTraces.fromEnvironment(Map.of("OTEL_TRACES_EXPORTER", "otlp"), "test"))
                .isPresent();
        assertThat(BatchTraces.fromEnvironment(
                        Map.of("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:4318/v1/traces"), "test"))
                .isPresent();
    }

    private SpanData named(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<String> names() {
        return spans.getFinishedSpanItems().stream().map(SpanData::getName).toList();
    }

    private List<String> traceIds(String name) {
        List<String> ids = new ArrayList<>();
        for (SpanData span : spans.getFinishedSpanItems()) {
            if (span.getName().equals(name)) {
                ids.add(span.getTraceId());
            }
        }
        return ids;
    }
}
