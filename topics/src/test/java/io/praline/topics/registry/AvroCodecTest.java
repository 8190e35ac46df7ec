package io.praline.topics.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.praline.schema.Clock;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerEvent;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.log.Quarantine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AvroCodecTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final ScalingTarget EIGHT = new ScalingTarget("default", 8, "40 / 5 = 8", 17L);

    private FakeRegistry registry;
    private AvroCodec codec;

    @BeforeEach
    void open() {
        registry = new FakeRegistry();
        codec = new AvroCodec(registry.settings());
    }

    @AfterEach
    void close() {
        codec.close();
        registry.close();
    }

    @Test
    void whatIsWrittenComesBack() throws UnreadableRecord {
        byte[] bytes = codec.write(Topics.SCALING_COMMANDS, EIGHT);

        assertThat(codec.read(Topics.SCALING_COMMANDS, bytes)).isEqualTo(EIGHT);
    }

    // 0, then id 1 in four bytes, then "a" (length 1, zigzag 2), 8 (zigzag 16), "" and 0
    @Test
    void theBytesAreConfluents() {
        assertThat(codec.write(Topics.SCALING_COMMANDS, new ScalingTarget("a", 8, "", 0L)))
                .containsExactly(0, 0, 0, 0, 1, 2, 'a', 16, 0, 0);
    }

    @Test
    void whatIsRegisteredIsNothingOfJavas() throws IOException {
        codec.register(List.of(Topics.SCALING_COMMANDS));

        assertThat(registry.schema(1))
                .contains("{\"name\":\"subject\",\"type\":\"string\"")
                .doesNotContain("java");
    }

    @Test
    void theSchemaIsRegisteredOnceUnderBackwardCompatibility() {
        codec.write(Topics.SCALING_COMMANDS, EIGHT);
        codec.write(Topics.SCALING_COMMANDS, EIGHT);

        assertThat(registry.requests())
                .containsExactly(
                        "POST /subjects/scaling-commands-value",
                        "GET /config/scaling-commands-value",
                        "PUT /config/scaling-commands-value {\"compatibility\":\"BACKWARD\"}",
                        "POST /subjects/scaling-commands-value/versions");
    }

    @Test
    void aFieldThatANewerWriterAddedIsSkipped() throws Exception {
        Schema newer = changed(fields ->
                fields.addObject().put("name", "spot").put("type", "string").put("default", ""));

        byte[] bytes = written(newer, record -> record.put("spot", "only"));

        assertThat(codec.read(Topics.SCALING_COMMANDS, bytes)).isEqualTo(EIGHT);
    }

    @Test
    void aFieldThatAWriterDoesNotHaveAndThatHasNoDefaultIsUnreadable() throws Exception {
        byte[] bytes = written(changed(fields -> fields.remove(2)), record -> {});

        assertThatThrownBy(() -> codec.read(Topics.SCALING_COMMANDS, bytes))
                .isInstanceOf(UnreadableRecord.class)
                .hasMessageContaining("does not read as ScalingTarget by schema id 1")
                .hasMessageContaining("reason")
                .message()
                .hasLineCount(1);
    }

    @Test
    void anotherTopicsRecordIsUnreadable() {
        byte[] clock = codec.write(
                Topics.WORKER_HEARTBEATS,
                WorkerEvent.newBuilder()
                        .setPool("default")
                        .setBody(new Clock(0L))
                        .build());

        assertThatThrownBy(() -> codec.read(Topics.SCALING_COMMANDS, clock))
                .hasMessage("its value is a io.praline.schema.WorkerEvent (schema id 1),"
                        + " not a io.praline.schema.ScalingTarget");
    }

    @Test
    void whatIsNoConfluentValueIsUnreadable() {
        byte[] whole = codec.write(Topics.SCALING_COMMANDS, EIGHT);
        byte[] cut = Arrays.copyOf(whole, whole.length - 4);
        byte[] longer = Arrays.copyOf(whole, whole.length + 3);

        assertThat(Stream.of(
                        reason(null),
                        reason(new byte[] {0, 0, 1}),
                        reason("{\"subject\": 1}".getBytes(StandardCharsets.UTF_8)),
                        reason(cut),
                        reason(longer)))
                .containsExactly(
                        "it has no value",
                        "its value of 3 bytes is shorter than magic byte and schema id",
                        "its value does not begin with the magic byte 0 but with 123",
                        "its value does not read as ScalingTarget by schema id 1: it is cut off: more is needed than the 7"
                                + " bytes left at byte 15",
                        "its value has 3 bytes behind the ScalingTarget");
    }

    @Test
    void anUnknownIdIsAskedForOnce() {
        byte[] bytes = {0, 0, 0, 0, 99, 1, 2, 3};

        for (int i = 0; i < 5; i++) {
            assertThat(reason(bytes)).isEqualTo("the registry does not know its schema id 99");
        }

        assertThat(registry.requests()).containsExactly("GET /schemas/ids/99");
    }

    @Test
    void aSchemaThatIsNoneIsTheRecordsFault() {
        int nonsense = registry.add("{\"type\": \"nonsense\"}");
        int text = registry.add("message A {}");

        assertThat(Stream.of(nonsense, text).map(id -> reason(new byte[] {0, 0, 0, 0, id.byteValue(), 0})))
                .allSatisfy(reason -> assertThat(reason)
                        .matches("its schema, id [12], cannot be read: .*")
                        .hasLineCount(1));
    }

    @Test
    void aRegistryThatFailsIsNotTheRecordsFault() {
        registry.failWith(503);

        assertThatThrownBy(() -> codec.read(Topics.SCALING_COMMANDS, new byte[] {0, 0, 0, 0, 7, 0}))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageContaining("registry at http://127.0.0.1:")
                .message()
                .hasLineCount(1);
    }

    @Test
    void aRegistryThatIsNotThereIsSaidInALine() {
        registry.close();

        assertThatThrownBy(codec::requireReachable)
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageContaining("cannot be reached: Connection refused");
    }

    // 2^31 - 10 bytes of text announced, 2^40 fields, and 20,000 times rubbish behind a schema id that is known
    @Test
    void rubbishBehindAKnownIdCostsNoMemoryAndIsUnreadable() throws IOException {
        codec.register(List.of(Topics.JOBS, Topics.QUARANTINE));
        Random random = new Random(3);
        int unreadable = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[5 + random.nextInt(200)];
            random.nextBytes(bytes);
            bytes[0] = 0;
            bytes[1] = 0;
            bytes[2] = 0;
            bytes[3] = 0;
            bytes[4] = 1;
            try {
                codec.read(Topics.JOBS, bytes);
            } catch (UnreadableRecord expected) {
                unreadable++;
            }
        }
        assertThat(unreadable).isGreaterThan(19_990);

        ByteArrayOutputStream huge = new ByteArrayOutputStream();
        huge.write(new byte[] {0, 0, 0, 0, 2});
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(huge, null);
        encoder.writeLong(Integer.MAX_VALUE - 10L);
        encoder.flush();
        assertThatThrownBy(() -> codec.read(Topics.QUARANTINE, huge.toByteArray()))
                .hasMessageContaining("it is cut off");
    }

    @Test
    void aQuarantinedRecordKeepsWhatCame() {
        QuarantinedRecord record = Quarantine.quarantined(
                "jobs", 3, 17, null, new byte[] {1, 2}, "its value is too short", "dispatcher", 5);

        assertThat(record)
                .isEqualTo(new QuarantinedRecord(
                        "jobs",
                        3,
                        17L,
                        ByteBuffer.allocate(0),
                        ByteBuffer.wrap(new byte[] {1, 2}),
                        "its value is too short",
                        "dispatcher",
                        5L));
        assertThat(Quarantine.key(record)).isEqualTo("jobs/3/17");
    }

    @Test
    void settingsOfTheRegistryReachItsClient() throws UnreadableRecord {
        KafkaSettings plain = registry.settings();
        KafkaSettings authenticated = new KafkaSettings(
                plain.bootstrap(),
                plain.registryUrl(),
                Map.of(
                        "schema.registry.basic.auth.credentials.source",
                        "USER_INFO",
                        "schema.registry.basic.auth.user.info",
                        "ada:secret"));
        try (AvroCodec other = new AvroCodec(authenticated)) {
            assertThat(other.read(Topics.SCALING_COMMANDS, other.write(Topics.SCALING_COMMANDS, EIGHT)))
                    .isEqualTo(EIGHT);
        }
        assertThat(registry.authorizations()).containsOnly("Basic YWRhOnNlY3JldA==");
    }

    private String reason(byte[] bytes) {
        try {
            return "read " + codec.read(Topics.SCALING_COMMANDS, bytes);
        } catch (UnreadableRecord unreadable) {
            return unreadable.reason();
        }
    }

    /** The schema of scaling-commands with its fields changed. */
    private static Schema changed(Consumer<ArrayNode> change) throws IOException {
        ObjectNode schema =
                (ObjectNode) JSON.readTree(Topics.SCALING_COMMANDS.schema().toString());
        change.accept((ArrayNode) schema.get("fields"));
        return new Schema.Parser().parse(schema.toString());
    }

    /** EIGHT as a program with this schema writes it. */
    private byte[] written(Schema schema, Consumer<GenericRecord> change) throws IOException {
        GenericRecord record = new GenericData.Record(schema);
        schema.getFields().forEach(field -> {
            Schema.Field ours = EIGHT.getSchema().getField(field.name());
            if (ours != null) {
                record.put(field.name(), EIGHT.get(ours.pos()));
            }
        });
        change.accept(record);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[] {0, 0, 0, 0, (byte) registry.add(schema.toString())});
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    // a million values within each other, a byte each, in a field that we do not have
    @Test
    void aValueThatHoldsItselfTooOftenIsUnreadable() throws Exception {
        Schema theirs = changed(fields -> fields.insertObject(0)
                .put("name", "before")
                .putArray("type")
                .add("null")
                .add(Topics.SCALING_COMMANDS.schema().getFullName()));
        int id = registry.add(theirs.toString());
        byte[] deep = new byte[1_000_000];
        Arrays.fill(deep, (byte) 2);
        ByteBuffer.wrap(deep).put((byte) 0).putInt(id);
        assertThatThrownBy(() -> codec.read(Topics.SCALING_COMMANDS, deep))
                .isInstanceOf(UnreadableRecord.class)
                .hasMessage("its value, or its schema of id " + id + ", is nested too deeply");
    }
}
