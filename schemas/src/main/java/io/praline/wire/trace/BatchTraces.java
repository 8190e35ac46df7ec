package io.praline.wire.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells OpenTelemetry how a batch went, when its way is over. Any thread.
 *
 * <pre>
 *   praline.batch  worker  from when the graph was asked for it until its client has it
 *     make         worker  until it came out of the graph
 *     outbox       worker  until it was first written: it waited for its consumer, for credit, for the socket
 *     send         worker  until CREDIT said that the client has it
 *     ready        client  from when it came until the loop took it
 *     loop         client  until the loop was done with it
 * </pre>
 *
 * <p>A batch here is a frame: where small ones are packed for the journey, all of these together.
 */
public final class BatchTraces {
    private static final String NAME = "praline.batch";
    private static final AttributeKey<Long> BYTES = AttributeKey.longKey("praline.bytes");

    private final SdkTracerProvider provider;
    private final DerivedIds ids;
    private final Tracer tracer;
    private final LongSupplier epochNanos;

    private BatchTraces(SdkTracerProvider provider, DerivedIds ids, LongSupplier epochNanos) {
        this.provider = provider;
        this.ids = ids;
        this.tracer = provider.get("io.praline");
        this.epochNanos = epochNanos;
    }

    /**
     * As OpenTelemetry's environment variables say; empty where none of {@code OTEL_TRACES_EXPORTER},
     * {@code OTEL_EXPORTER_OTLP_ENDPOINT} and {@code OTEL_EXPORTER_OTLP_TRACES_ENDPOINT} asks for traces, or
     * {@code OTEL_SDK_DISABLED} forbids them. Where it says nothing else, OTLP goes by HTTP.
     *
     * @param environment what decides whether there are traces; how they go the library reads itself
     * @param service the service's name where {@code OTEL_SERVICE_NAME} gives none
     * @throws IllegalArgumentException if the variables cannot be followed, in one line
     */
    public static Optional<BatchTraces> fromEnvironment(Map<String, String> environment, String service) {
        if (!isAskedFor(environment)) {
            return Optional.empty();
        }
        DerivedIds ids = new DerivedIds();
        try {
            SdkTracerProvider provider = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> Map.of(
                            "otel.service.name",
                            service,
                            "otel.metrics.exporter",
                            "none",
                            "otel.logs.exporter",
                            "none",
                            "otel.exporter.otlp.protocol",
                            "http/protobuf"))
                    .addTracerProviderCustomizer((builder, config) -> builder.setIdGenerator(ids))
                    .build()
                    .getOpenTelemetrySdk()
                    .getSdkTracerProvider();
            return Optional.of(new BatchTraces(provider, ids, wallClock()));
        } catch (ConfigurationException | IllegalStateException e) {
            throw new IllegalArgumentException(
                    "traces cannot be sent as OTEL_... variables say: " + e.getMessage()
                            + "; OTLP goes by http/protobuf; without OTEL_TRACES_EXPORTER and OTEL_EXPORTER_OTLP_ENDPOINT there are no traces",
                    e);
        }
    }

    /** Traces that go where {@code spans} says. */
    static BatchTraces of(SdkTracerProviderBuilder spans, LongSupplier epochNanos) {
        DerivedIds ids = new DerivedIds();
        return new BatchTraces(spans.setIdGenerator(ids).build(), ids, epochNanos);
    }

    private static boolean isAskedFor(Map<String, String> environment) {
        if (environment.getOrDefault("OTEL_SDK_DISABLED", "").equalsIgnoreCase("true")) {
            return false;
        }
        String exporter = environment.getOrDefault("OTEL_TRACES_EXPORTER", "");
        if (!exporter.isBlank()) {
            return !exporter.strip().equalsIgnoreCase("none");
        }
        return !environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "").isBlank()
                || !environment
                        .getOrDefault("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
                        .isBlank();
    }

    /** Nanoseconds since 1970 that never go back. */
    private static LongSupplier wallClock() {
        long origin = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
        return () -> origin + System.nanoTime();
    }

    /**
     * A batch came out of an attempt's graph just now.
     *
     * @param makingNanos how long the graph was asked for it
     */
    public SentBatch made(AttemptKey attempt, long makingNanos, long bytes) {
        return new Made(attempt, epochNanos.getAsLong(), makingNanos, bytes);
    }

    /** A batch came over a channel just now. */
    public TakenBatch came(LaneKey lane, int consumer, long sequence) {
        return new Came(new BatchName(lane, consumer, sequence), epochNanos.getAsLong());
    }

    private final class Made implements SentBatch {
        private final AttemptKey attempt;
        private final long madeAt;
        private final long makingNanos;
        private final long bytes;
        // written by the lane that has it, under its outbox's lock, before it is written
        private volatile Optional<BatchName> name = Optional.empty();
        private volatile long writtenAt;

        Made(AttemptKey attempt, long madeAt, long makingNanos, long bytes) {
            this.attempt = attempt;
            this.madeAt = madeAt;
            this.makingNanos = makingNanos;
            this.bytes = bytes;
        }

        @Override
        public void placed(int consumer, int generation, long sequence) {
            name = Optional.of(new BatchName(new LaneKey(attempt, generation), consumer, sequence));
        }

        @Override
        public void written() {
            if (writtenAt == 0) {
                writtenAt = epochNanos.getAsLong();
            }
        }

        @Override
        public void released() {
            name.ifPresent(this::tell);
        }

        private void tell(BatchName known) {
            long now = epochNanos.getAsLong();
            Span way = ids.under(known.ids(), () -> tracer.spanBuilder(NAME)
                    .setNoParent()
                    .setSpanKind(SpanKind.PRODUCER)
                    .setAllAttributes(known.attributes())
                    .setStartTimestamp(madeAt - makingNanos, TimeUnit.NANOSECONDS)
                    .startSpan());
            way.setAttribute(BYTES, bytes);
            Context under = way.storeInContext(Context.root());
            part(under, "make", SpanKind.INTERNAL, madeAt - makingNanos, madeAt);
            long left = writtenAt == 0 ? now : writtenAt;
            part(under, "outbox", SpanKind.INTERNAL, madeAt, left);
            if (writtenAt != 0) {
                part(under, "send", SpanKind.INTERNAL, left, now);
            }
            way.end(now, TimeUnit.NANOSECONDS);
        }
    }

    private final class Came implements TakenBatch {
        private final BatchName name;
        private final long cameAt;
        private volatile long takenAt;

        Came(BatchName name, long cameAt) {
            this.name = name;
            this.cameAt = cameAt;
        }

        @Override
        public void taken() {
            if (takenAt == 0) {
                takenAt = epochNanos.getAsLong();
            }
        }

        @Override
        public void done() {
            BatchName.Ids its = name.ids();
            boolean sampled = provider.getSampler()
                            .shouldSample(
                                    Context.root(), its.trace(), NAME, SpanKind.PRODUCER, name.attributes(), List.of())
                            .getDecision()
                    == SamplingDecision.RECORD_AND_SAMPLE;
            SpanContext way = SpanContext.createFromRemoteParent(
                    its.trace(),
                    its.span(),
                    sampled ? TraceFlags.getSampled() : TraceFlags.getDefault(),
                    TraceState.getDefault());
            Context under = Span.wrap(way).storeInContext(Context.root());
            long now = epochNanos.getAsLong();
            part(under, "ready", SpanKind.CONSUMER, cameAt, takenAt);
            part(under, "loop", SpanKind.CONSUMER, takenAt, now);
        }
    }

    private void part(Context under, String name, SpanKind kind, long from, long until) {
        tracer.spanBuilder(name)
                .setParent(under)
                .setSpanKind(kind)
                .setStartTimestamp(from, TimeUnit.NANOSECONDS)
                .startSpan()
                .end(until, TimeUnit.NANOSECONDS);
    }
}
