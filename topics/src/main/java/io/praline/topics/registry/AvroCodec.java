package io.praline.topics.registry;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/**
 * Values of topics to bytes and back. A value is read by its writer's schema and resolved to ours, so that newer and
 * older programs may share a topic. Thread safe. The registry is asked once for each topic that is written and once for
 * each schema id that is met; an id it does not know is asked for again after a minute at the earliest.
 */
public final class AvroCodec implements AutoCloseable {
    private static final byte MAGIC = 0;
    private static final int HEADER_BYTES = 5;
    private static final String JAVA_STRING = ",\"avro.java.string\":\"String\"";

    /** A registry of several nodes may know an id a moment later than the producer does. */
    private static final Duration UNKNOWN_FOR = Duration.ofMinutes(1);

    /** Random bytes bring random ids: as many are remembered, then all are forgotten. */
    private static final int MAX_UNKNOWN_IDS = 10_000;

    private final RegistryClient registry;
    private final Map<String, Writing> writings = new ConcurrentHashMap<>();
    private final Map<ReadingKey, Reading> readings = new ConcurrentHashMap<>();
    private final Map<Integer, UnknownId> unknownIds = new ConcurrentHashMap<>();
    private final ThreadLocal<Encoding> encodings = ThreadLocal.withInitial(Encoding::new);

    /** Asks nothing of the registry yet: see {@link #requireReachable()}. */
    public AvroCodec(KafkaSettings settings) {
        this.registry = new RegistryClient(settings);
    }

    /**
     * Waits for the registry's answer.
     *
     * @throws ServiceUnreachable if there is none within ten seconds
     */
    public void requireReachable() {
        registry.requireReachable();
    }

    /**
     * Registers the schemas of these topics, so that the first write of each needs no registry any more.
     *
     * @throws ServiceUnreachable if the registry does not answer
     * @throws IllegalStateException if the registry holds an incompatible one
     */
    public void register(Collection<? extends Topic<?>> topics) {
        topics.forEach(this::writing);
    }

    /**
     * The value's bytes.
     *
     * @throws ServiceUnreachable if the schema is not registered yet and the registry does not answer
     * @throws IllegalStateException if the registry holds an incompatible one
     */
    public <V extends SpecificRecord> byte[] write(Topic<V> topic, V value) {
        Writing writing = writing(topic);
        return encodings.get().encode(writing, value);
    }

    /**
     * The value in these bytes, as our version of its schema has it.
     *
     * @throws UnreadableRecord if they hold no value of this topic, or one that does not resolve to our schema
     * @throws ServiceUnreachable if the schema id is new to us and the registry does not answer: nothing is known of the
     *     record then, and it is to be read again
     */
    public <V extends SpecificRecord> V read(Topic<V> topic, byte[] value) throws UnreadableRecord {
        if (value == null) {
            throw new UnreadableRecord("it has no value");
        }
        if (value.length < HEADER_BYTES) {
            throw new UnreadableRecord(
                    "its value of " + value.length + " bytes is shorter than magic byte and schema id");
        }
        if (value[0] != MAGIC) {
            throw new UnreadableRecord("its value does not begin with the magic byte 0 but with " + (value[0] & 0xff));
        }
        int id = ByteBuffer.wrap(value, 1, Integer.BYTES).getInt();
        try {
            return read(topic, id, new BoundedDecoder(value, HEADER_BYTES));
        } catch (StackOverflowError deep) {
            // a schema of somebody else's may hold itself, and values of it as many of each other as there are bytes
            throw new UnreadableRecord("its value, or its schema of id " + id + ", is nested too deeply", deep);
        }
    }

    private <V extends SpecificRecord> V read(Topic<V> topic, int id, BoundedDecoder in) throws UnreadableRecord {
        DatumReader<?> reader = reader(topic, id);
        V read;
        try {
            read = topic.type().cast(reader.read(null, in));
        } catch (IOException | RuntimeException failed) {
            // whatever foreign bytes make Avro throw: it is they who are wrong
            throw new UnreadableRecord(
                    "its value does not read as " + topic.schema().getName() + " by schema id " + id + ": "
                            + ServiceUnreachable.oneLine(failed),
                    failed);
        }
        if (in.remaining() > 0) {
            throw new UnreadableRecord("its value has " + in.remaining() + " bytes behind the "
                    + topic.schema().getName());
        }
        return read;
    }

    private Writing writing(Topic<?> topic) {
        Writing known = writings.get(topic.name());
        if (known != null) {
            return known;
        }
        Writing made = new Writing(
                registry.idOf(topic.subject(), plain(topic.schema())),
                new SpecificDatumWriter<>(topic.schema(), SpecificData.getForClass(topic.type())));
        writings.put(topic.name(), made);
        return made;
    }

    /** The schema as its file has it: what Avro's compiler adds for Java alone is no other language's business. */
    private static Schema plain(Schema schema) {
        return new Schema.Parser().parse(schema.toString().replace(JAVA_STRING, ""));
    }

    private DatumReader<?> reader(Topic<?> topic, int id) throws UnreadableRecord {
        ReadingKey key = new ReadingKey(topic.name(), id);
        Reading known = readings.get(key);
        if (known == null) {
            known = reading(topic, id, writerSchema(id));
            readings.put(key, known);
        }
        return known.open();
    }

    private Schema writerSchema(int id) throws UnreadableRecord {
        UnknownId unknown = unknownIds.get(id);
        if (unknown != null && System.nanoTime() - unknown.untilNanos() < 0) {
            throw new UnreadableRecord(unknown.reason());
        }
        try {
            Schema schema = registry.byId(id);
            unknownIds.remove(id);
            return schema;
        } catch (UnreadableRecord absent) {
            if (unknownIds.size() >= MAX_UNKNOWN_IDS) {
                unknownIds.clear();
            }
            unknownIds.put(id, new UnknownId(absent.reason(), System.nanoTime() + UNKNOWN_FOR.toNanos()));
            throw absent;
        }
    }

    private static Reading reading(Topic<?> topic, int id, Schema writer) {
        Schema ours = topic.schema();
        String name = writer.getType() == Schema.Type.RECORD
                ? writer.getFullName()
                : writer.getType().getName();
        if (!name.equals(ours.getFullName())) {
            return new Foreign("its value is a " + name + " (schema id " + id + "), not a " + ours.getFullName());
        }
        return new Resolving(new SpecificDatumReader<>(writer, ours, SpecificData.getForClass(topic.type())));
    }

    @Override
    public void close() {
        registry.close();
    }

    private record Writing(int id, DatumWriter<Object> writer) {}

    private record ReadingKey(String topic, int id) {}

    private record UnknownId(String reason, long untilNanos) {}

    /** What came of a schema id on a topic. */
    private sealed interface Reading {
        DatumReader<?> open() throws UnreadableRecord;
    }

    private record Resolving(DatumReader<?> reader) implements Reading {
        @Override
        public DatumReader<?> open() {
            return reader;
        }
    }

    private record Foreign(String reason) implements Reading {
        @Override
        public DatumReader<?> open() throws UnreadableRecord {
            throw new UnreadableRecord(reason);
        }
    }

    /** One thread's buffer and encoder. */
    private static final class Encoding {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        private BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);

        byte[] encode(Writing writing, Object value) {
            // first this, which may flush what a failed write has left, then reset
            encoder = EncoderFactory.get().binaryEncoder(out, encoder);
            out.reset();
            int id = writing.id();
            out.write(MAGIC);
            out.write(id >>> 24);
            out.write(id >>> 16);
            out.write(id >>> 8);
            out.write(id);
            try {
                writing.writer().write(value, encoder);
                encoder.flush();
            } catch (IOException impossible) {
                throw new UncheckedIOException("a byte array cannot fail to be written", impossible);
            }
            return out.toByteArray();
        }
    }
}
