package io.praline.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.avro.AvroSchema;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.SchemaMetadata;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What Confluent's own client expects of a registry; each test under a subject of its own. */
class EmbeddedRegistryTest {
    private static final AvroSchema V1 = record("{\"name\": \"a\", \"type\": \"int\"}");
    private static final AvroSchema WITH_DEFAULT =
            record("{\"name\": \"a\", \"type\": \"int\"}, {\"name\": \"b\", \"type\": \"int\", \"default\": 0}");
    private static final AvroSchema WITHOUT_DEFAULT =
            record("{\"name\": \"a\", \"type\": \"int\"}, {\"name\": \"c\", \"type\": \"int\"}");
    private static final AvroSchema A_AS_STRING = record("{\"name\": \"a\", \"type\": \"string\"}");

    @TempDir
    static Path dir;

    private static EmbeddedCluster cluster;

    private SchemaRegistryClient client;
    private String subject;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir.resolve("cluster")));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        client = freshClient();
        subject = test.getTestMethod().orElseThrow().getName() + "/with space+and plus-value";
    }

    @Test
    void registeringTwiceGivesOneIdAndOneVersion() throws Exception {
        int id = client.register(subject, V1);

        assertThat(freshClient().register(subject, V1)).isEqualTo(id);
        assertThat(client.getAllVersions(subject)).containsExactly(1);
        assertThat(client.getId(subject, V1)).isEqualTo(id);
        assertThat(client.getVersion(subject, V1)).isEqualTo(1);
        assertThat(freshClient().getSchemaById(id)).isEqualTo(V1);
        assertThat(client.getAllSubjects()).contains(subject);
    }

    @Test
    void theSameSchemaHasTheSameIdUnderAnotherSubject() throws Exception {
        AvroSchema own = record("{\"name\": \"own\", \"type\": \"int\"}");
        int id = client.register(subject, own);

        assertThat(client.register(subject + "2", new AvroSchema(" " + own.canonicalString() + "\n")))
                .isEqualTo(id);
        assertThat(client.getAllSubjectsById(id)).containsExactlyInAnyOrder(subject, subject + "2");
        assertThat(client.getAllVersionsById(id)).hasSize(2);
    }

    @Test
    void aCompatibleChangeIsANewVersion() throws Exception {
        int first = client.register(subject, V1);
        int second = client.register(subject, WITH_DEFAULT);

        assertThat(second).isNotEqualTo(first);
        SchemaMetadata latest = client.getLatestSchemaMetadata(subject);
        assertThat(List.of(latest.getVersion(), latest.getId())).containsExactly(2, second);
        assertThat(latest.getSchema()).isEqualTo(WITH_DEFAULT.canonicalString());
        assertThat(client.getSchemaMetadata(subject, 1).getId()).isEqualTo(first);
    }

    @Test
    void anIncompatibleChangeIsAConflict() throws Exception {
        client.register(subject, V1);

        assertThat(client.testCompatibility(subject, WITH_DEFAULT)).isTrue();
        assertThat(client.testCompatibility(subject, WITHOUT_DEFAULT)).isFalse();
        assertThat(client.testCompatibilityVerbose(subject, WITHOUT_DEFAULT).toString())
                .contains("READER_FIELD_MISSING_DEFAULT_VALUE");
        assertFails(409, 409, () -> client.register(subject, WITHOUT_DEFAULT));
        assertThat(client.getAllVersions(subject)).containsExactly(1);
    }

    @Test
    void everyChangeIsCompatibleWithNothing() throws Exception {
        assertThat(client.testCompatibility(subject, V1)).isTrue();
    }

    // V1 {a:int}, then {a, b=0}, then {a:string}: reading an int as a string never works; NONE takes it all the same
    @Test
    void theSubjectsLevelDecides() throws Exception {
        client.register(subject, V1);

        assertThat(client.updateCompatibility(subject, "NONE")).isEqualTo("NONE");
        client.register(subject, A_AS_STRING);
        assertThat(client.getCompatibility(subject)).isEqualTo("NONE");

        // the last version alone would do, the first does not
        client.updateCompatibility(subject, "BACKWARD");
        assertThat(client.testCompatibility(subject, record("{\"name\": \"a\", \"type\": [\"null\", \"string\"]}")))
                .isTrue();
        client.updateCompatibility(subject, "BACKWARD_TRANSITIVE");
        assertFails(
                409,
                409,
                () -> client.register(subject, record("{\"name\": \"a\", \"type\": [\"null\", \"string\"]}")));
    }

    @Test
    void forwardAndFullLookTheOtherWayToo() throws Exception {
        client.register(subject, V1);

        client.updateCompatibility(subject, "FORWARD");
        assertThat(client.testCompatibility(subject, WITHOUT_DEFAULT)).isTrue();
        assertThat(client.testCompatibility(subject, record(""))).isFalse();
        client.updateCompatibility(subject, "FULL");
        assertThat(client.testCompatibility(subject, WITHOUT_DEFAULT)).isFalse();
        assertThat(client.testCompatibility(subject, WITH_DEFAULT)).isTrue();
    }

    @Test
    void theGlobalLevelIsBackwardUntilItIsChanged() throws Exception {
        assertThat(client.getCompatibility(null)).isEqualTo("BACKWARD");
        client.updateCompatibility(null, "FULL");
        assertThat(client.getCompatibility(null)).isEqualTo("FULL");
        client.deleteCompatibility(null);
        assertThat(client.getCompatibility(null)).isEqualTo("BACKWARD");
        assertFails(422, 42203, () -> client.updateCompatibility(subject, "SIDEWAYS"));
    }

    @Test
    void whatIsNotThereHasConfluentsNumbers() throws Exception {
        assertFails(404, 40401, () -> client.getAllVersions("none"));
        assertFails(404, 40401, () -> client.getId("none", V1));
        assertFails(404, 40403, () -> client.getSchemaById(1_000_000));
        client.register(subject, V1);
        assertFails(404, 40402, () -> client.getSchemaMetadata(subject, 7));
        assertFails(404, 40403, () -> client.getId(subject, WITH_DEFAULT));
        assertFails(404, 40401, () -> client.deleteSubject("none"));
        assertThat(get("/subjects/" + encoded() + "/versions/zero")).contains("42202");
        assertThat(get("/config/none")).contains("40408");
        assertThat(get("/mode/none")).contains("40409");
        assertThat(get("/nothing/here")).contains("\"error_code\":404");
    }

    @Test
    void aDeletedVersionIsHiddenUntilItIsAskedFor() throws Exception {
        int id = client.register(subject, V1);
        client.register(subject, WITH_DEFAULT);

        assertThat(client.deleteSchemaVersion(subject, "2")).isEqualTo(2);

        assertThat(client.getAllVersions(subject)).containsExactly(1);
        assertThat(get("/subjects/" + encoded() + "/versions?deleted=true")).isEqualTo("200 [1,2]");
        assertThat(freshClient().getLatestSchemaMetadata(subject).getId()).isEqualTo(id);
        assertFails(404, 40406, () -> client.deleteSchemaVersion(subject, "2"));
        assertFails(404, 40407, () -> client.deleteSchemaVersion(subject, "1", true));
        assertThat(client.deleteSchemaVersion(subject, "2", true)).isEqualTo(2);
        assertThat(get("/subjects/" + encoded() + "/versions?deleted=true")).isEqualTo("200 [1]");
    }

    @Test
    void aDeletedSubjectKeepsItsIdsUntilItIsDeletedForGood() throws Exception {
        AvroSchema own = record("{\"name\": \"gone\", \"type\": \"int\"}");
        int id = client.register(subject, own);

        assertFails(404, 40405, () -> client.deleteSubject(subject, true));
        assertThat(client.deleteSubject(subject)).containsExactly(1);
        assertThat(client.getAllSubjects()).doesNotContain(subject);
        assertThat(client.getAllSubjects(true)).contains(subject);
        assertThat(freshClient().getSchemaById(id)).isEqualTo(own);
        assertFails(404, 40404, () -> freshClient().deleteSubject(subject));

        // who registers it again has the same id as version 2
        assertThat(freshClient().register(subject, own)).isEqualTo(id);
        assertThat(freshClient().getAllVersions(subject)).containsExactly(2);

        freshClient().deleteSubject(subject);
        assertThat(freshClient().deleteSubject(subject, true)).containsExactly(1, 2);
        assertFails(404, 40403, () -> freshClient().getSchemaById(id));
    }

    @Test
    void readOnlyAndImportModesAreKept() throws Exception {
        client.setMode("READONLY", subject);
        assertFails(422, 42205, () -> client.register(subject, V1));

        client.setMode("IMPORT", subject);
        AvroSchema own = record("{\"name\": \"imported\", \"type\": \"int\"}");
        assertThat(client.register(subject, own, 3, 4_711)).isEqualTo(4_711);
        assertThat(freshClient().getSchemaMetadata(subject, 3).getId()).isEqualTo(4_711);
        client.setMode("READWRITE", subject);
        assertThat(client.getMode(subject)).isEqualTo("READWRITE");
        client.deleteMode(subject);
        assertThat(get("/mode/" + encoded())).contains("40409");
        assertThat(client.getMode()).isEqualTo("READWRITE");
    }

    @Test
    void whatIsNoSchemaOrNoJsonIsRefusedWithAReason() throws Exception {
        String versions = "/subjects/" + encoded() + "/versions";

        assertThat(post(versions, "{not json")).startsWith("400 ").contains("The body is not JSON");
        assertThat(post(versions, "[]")).startsWith("400 ");
        assertThat(post(versions, "")).startsWith("400 ");
        assertThat(post(versions, "{\"schema\": \"\"}")).startsWith("422 ").contains("42201");
        assertThat(post(versions, "{\"schema\": \"{\\\"type\\\": \\\"nonsense\\\"}\"}"))
                .startsWith("422 ")
                .contains("42201");
        assertThat(post(versions, "{\"schemaType\": \"PROTOBUF\", \"schema\": \"message A {}\"}"))
                .contains("only AVRO is taken here");
        assertThat(post(versions, "{\"schema\": \"\\\"int\\\"\", \"references\": [{\"name\": \"x\"}]}"))
                .contains("references to other schemas are not taken here");
        assertThat(post(versions, "x".repeat((1 << 20) + 1))).startsWith("413 ");
        assertThat(get("/subjects")).doesNotContain(subject);
    }

    @Test
    void smallerResourcesAnswer() throws Exception {
        int id = client.register(subject, V1);

        assertThat(get("/")).isEqualTo("200 {}");
        assertThat(get("/schemas/types")).isEqualTo("200 [\"AVRO\"]");
        assertThat(get("/schemas/ids/" + id + "/schema")).isEqualTo("200 " + V1.canonicalString());
        assertThat(get("/subjects/" + encoded() + "/versions/latest/schema")).isEqualTo("200 " + V1.canonicalString());
        assertThat(get("/subjects/" + encoded() + "/versions/1/referencedby")).isEqualTo("200 []");
        assertThat(get("/subjects?subjectPrefix=smaller")).contains(subject);
        assertThat(get("/schemas?subjectPrefix=smaller")).contains("\"version\":1");
        assertThat(get("/v1/metadata/id")).contains("kafka-cluster");
    }

    private static AvroSchema record(String fields) {
        return new AvroSchema("{\"type\": \"record\", \"name\": \"R\", \"fields\": [" + fields + "]}");
    }

    private static SchemaRegistryClient freshClient() {
        return new CachedSchemaRegistryClient(cluster.settings().registryUrl(), 100, Map.of());
    }

    private static void assertFails(int status, int code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(RestClientException.class, failed -> assertThat(
                        List.of(failed.getStatus(), failed.getErrorCode()))
                .containsExactly(status, code));
    }

    private String encoded() {
        return subject.replace("/", "%2F").replace(" ", "%20").replace("+", "%2B");
    }

    private static String get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(cluster.settings().registryUrl() + path)));
    }

    private static String post(String path, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(cluster.settings().registryUrl() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Status and body. */
    private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response =
                HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }
}
