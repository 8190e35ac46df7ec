package io.praline.wire.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.praline.identity.LaneKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a batch is called on the channel, and so in traces.
 *
 * @param sequence its number among the batches of this attempt for this generation of the consumer, from 0
 */
record BatchName(LaneKey lane, int consumer, long sequence) {
    private static final AttributeKey<String> JOB = AttributeKey.stringKey("praline.job");
    private static final AttributeKey<Long> EPOCH = AttributeKey.longKey("praline.epoch");
    private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("praline.attempt");
    private static final AttributeKey<Long> CONSUMER = AttributeKey.longKey("praline.consumer");
    private static final AttributeKey<Long> GENERATION = AttributeKey.longKey("praline.generation");
    private static final AttributeKey<Long> SEQUENCE = AttributeKey.longKey("praline.sequence");

    /**
     * Ids in OpenTelemetry's hexadecimal form.
     *
     * @param span of the whole way, under which the parts stand
     */
    record Ids(String trace, String span) {}

    /** The first 16 bytes of a SHA-256 of the name, and the 8 behind them. */
    Ids ids() {
        byte[] job = lane.attempt().job().getBytes(StandardCharsets.UTF_8);
        byte[] numbers = ByteBuffer.allocate(4 * Integer.BYTES + Long.BYTES)
                .putInt(lane.attempt().epoch())
                .putInt(lane.attempt().attempt())
                .putInt(consumer)
                .putInt(lane.generation())
                .putLong(sequence)
                .array();
        ByteBuffer hash;
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(job);
            hash = ByteBuffer.wrap(digest.digest(numbers));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every Java has SHA-256", absent);
        }
        return new Ids(TraceId.fromLongs(hash.getLong(), hash.getLong()), SpanId.fromLong(hash.getLong()));
    }

    Attributes attributes() {
        return Attributes.builder()
                .put(JOB, lane.attempt().job())
                .put(EPOCH, (long) lane.attempt().epoch())
                .put(ATTEMPT, (long) lane.attempt().attempt())
                .put(CONSUMER, (long) consumer)
                .put(GENERATION, (long) lane.generation())
                .put(SEQUENCE, sequence)
                .build();
    }
}
