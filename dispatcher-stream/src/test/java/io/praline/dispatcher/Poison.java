package io.praline.dispatcher;

import io.praline.schema.AttemptProgress;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobRequest;
import io.praline.schema.PlanMessage;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** Spoils one of the records that are about a job: a bit of it is flipped, or a value is one that nobody expects. */
final class Poison implements Rig.Spoiling {
    private static final int HEADER_BYTES = 5;

    private final AvroCodec codec;
    private final Random random;
    private final String job;
    private int left;
    private String done = "";

    /** @param number of the record, among those that are about the job, that is spoiled */
    Poison(AvroCodec codec, Random random, String job, int number) {
        this.codec = codec;
        this.random = random;
        this.job = job;
        this.left = number;
    }

    /** What was spoiled; empty where there was no record of that number. */
    String done() {
        return done;
    }

    @Override
    public byte[] spoiled(String topic, byte[] value) {
        if (topic.equals(Topics.WORKER_HEARTBEATS.name())) {
            return beat(value);
        }
        return switch (topic) {
            case "job-requests" -> message(Topics.JOB_REQUESTS, value, JobRequest::getJob);
            case "splits" -> message(Topics.SPLITS, value, PlanMessage::getJob);
            case "client-heartbeats" -> message(Topics.CLIENT_HEARTBEATS, value, ClientHeartbeat::getJob);
            case "consumption" -> message(Topics.CONSUMPTION, value, ConsumptionReport::getJob);
            default -> value;
        };
    }

    private <V extends SpecificRecord> V read(Topic<V> topic, byte[] value) {
        try {
            return codec.read(topic, value);
        } catch (UnreadableRecord unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private <V extends SpecificRecord> byte[] message(Topic<V> topic, byte[] value, Function<V, String> jobOf) {
        V message = read(topic, value);
        if (!jobOf.apply(message).equals(job) || left-- != 0) {
            return value;
        }
        if (random.nextBoolean()) {
            byte[] flipped = value.clone();
            int bit = random.nextInt((value.length - HEADER_BYTES) * Byte.SIZE);
            flipped[HEADER_BYTES + (bit / Byte.SIZE)] ^= (byte) (1 << (bit % Byte.SIZE));
            done = "bit " + bit + " of " + message;
            return flipped;
        }
        return codec.write(topic, extreme(message));
    }

    /** Of a beat only what it tells of the job is spoiled: the rest of it is true. */
    private byte[] beat(byte[] value) {
        WorkerEvent event = read(Topics.WORKER_HEARTBEATS, value);
        if (event.getBody() instanceof WorkerHeartbeat beat) {
            for (AttemptProgress attempt : beat.getAttempts()) {
                if (attempt.getJob().equals(job) && left-- == 0) {
                    extreme(attempt);
                    return codec.write(Topics.WORKER_HEARTBEATS, event);
                }
            }
        }
        return value;
    }

    private <V extends SpecificRecord> V extreme(V record) {
        List<Consumer<Random>> leaves = new ArrayList<>();
        collect(record, leaves);
        String before = record.toString();
        leaves.get(random.nextInt(leaves.size())).accept(random);
        done = before + " -> "
                + record.toString()
                        .substring(0, Math.min(2_000, record.toString().length()));
        return record;
    }

    private void collect(SpecificRecord record, List<Consumer<Random>> leaves) {
        for (Schema.Field field : record.getSchema().getFields()) {
            int at = field.pos();
            Object value = record.get(at);
            if (value instanceof SpecificRecord inner) {
                collect(inner, leaves);
            } else if (value instanceof List<?> list) {
                list.stream()
                        .filter(SpecificRecord.class::isInstance)
                        .forEach(one -> collect((SpecificRecord) one, leaves));
                leaves.add(dice -> record.put(at, list(list, dice)));
            } else if (!(value instanceof Enum<?>)
                    && value != null
                    && !(value instanceof Boolean)
                    && !(value instanceof Map)
                    && !(value instanceof Optional)) {
                leaves.add(dice -> record.put(at, value(value, dice)));
            }
        }
    }

    private static List<?> list(List<?> list, Random dice) {
        List<Object> changed = new ArrayList<>(list);
        switch (dice.nextInt(3)) {
            case 0 -> changed.clear();
            case 1 -> changed.addAll(list);
            default -> Collections.reverse(changed);
        }
        return changed;
    }

    private static Object value(Object value, Random dice) {
        if (value instanceof Integer) {
            return pick(dice, Integer.MIN_VALUE, -1, 0, 1, 7, 100_000, Integer.MAX_VALUE - 1, Integer.MAX_VALUE);
        }
        if (value instanceof Long) {
            return pick(
                    dice,
                    Long.MIN_VALUE,
                    -1L,
                    0L,
                    1L,
                    1L << 31,
                    1L << 36,
                    1L << 53,
                    Long.MAX_VALUE - 1,
                    Long.MAX_VALUE);
        }
        if (value instanceof Double) {
            return pick(dice, Double.NaN, -1.0, 0.0, Double.MIN_VALUE, 1e300, Double.POSITIVE_INFINITY);
        }
        if (value instanceof ByteBuffer) {
            byte[] bytes = new byte[dice.nextInt(64)];
            dice.nextBytes(bytes);
            return ByteBuffer.wrap(bytes);
        }
        return pick(dice, "", " ", "a\u0000b", "x".repeat(1 << 20), "\ud800");
    }

    @SafeVarargs
    private static <T> T pick(Random dice, T... of) {
        return of[dice.nextInt(of.length)];
    }
}
