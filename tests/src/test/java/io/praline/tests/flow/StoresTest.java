package io.praline.tests.flow;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.deploy.cli.Praline;
import io.praline.deploy.embedded.Ports;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.Ended;
import io.praline.tests.rig.Numbers;
import io.praline.tests.rig.ObjectServer;
import io.praline.tests.rig.ObjectServer.Behaviour;
import io.praline.tests.rig.ObjectServer.Etags;
import io.praline.worker.storage.FileStore;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.StoredFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store of objects lists and says, and what is told where it does not. */
class StoresTest {
    private static final Path HERE = Path.of("");

    private ObjectServer store;

    @BeforeEach
    void start() throws IOException {
        credentials(ObjectServer.ACCESS_KEY);
        store = new ObjectServer();
        for (String key :
                List.of("train/a-0", "train/a-1", "train/b-0", "train/.hidden", "train/deep/a-2", "train/deep/")) {
            store.put("data", key, key.getBytes(StandardCharsets.UTF_8));
            store.put(ObjectServer.OPEN, key, key.getBytes(StandardCharsets.UTF_8));
        }
    }

    @AfterEach
    void stop() {
        store.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    private static void credentials(String key) {
        System.setProperty("aws.accessKeyId", key);
        System.setProperty("aws.secretAccessKey", "secret");
    }

    private S3Settings settings() {
        return S3Settings.of(Optional.of(store.url()), Optional.of(ObjectServer.REGION), true);
    }

    private List<StoredFile> found(S3Settings settings, String... globs) {
        try (FileStores stores = new FileStores(settings)) {
            List<StoredFile> found = new ArrayList<>();
            stores.find(List.of(globs), HERE).forEachRemaining(found::add);
            return found;
        }
    }

    private List<String> names(String... globs) {
        return found(settings(), globs).stream()
                .map(file -> file.name().replace("s3://data/train/", "").replace(store.url() + "/open/train/", ""))
                .toList();
    }

    private String refusal(S3Settings settings, String glob) {
        List<String> told = new ArrayList<>();
        assertThatThrownBy(() -> found(settings, glob)).isInstanceOfSatisfying(StoreFailed.class, failed -> {
            assertThat(failed.kind()).isEqualTo(StoreFailed.Kind.REFUSED);
            told.add(failed.getMessage());
        });
        assertThat(told.get(0).lines()).hasSize(1);
        return told.get(0);
    }

    // two keys a page: the pattern's matches come from several of them
    @Test
    void keysAreMatchedAsNamesOfFilesAre() {
        store.behave(Behaviour.GOOD.inPagesOf(2));

        assertThat(names("s3://data/train/a-*")).containsExactly("a-0", "a-1");
        assertThat(names("s3://data/train/*")).containsExactly("a-0", "a-1", "b-0");
        assertThat(names("s3://data/train/**/a-?")).containsExactly("a-0", "a-1", "deep/a-2");
        assertThat(names("s3://data/train/{a,b}-0", "s3://data/train/a-*")).containsExactly("a-0", "a-1", "b-0");
        assertThat(names("s3://data/train/a-0")).containsExactly("a-0");
        assertThat(names(store.url() + "/open/train/{a-1,b-0}")).containsExactly("a-1", "b-0");
    }

    @Test
    void contentsAreToldApartByWhatTheStoreSays() {
        String name = store.url() + "/open/train/a-0";
        assertThat(found(settings(), name).get(0).version().orElseThrow().kind())
                .isEqualTo(FileVersion.Kind.ETAG);
        assertThat(found(settings(), "s3://data/train/a-0").get(0).version())
                .isEqualTo(found(settings(), "s3://data/train/a-[0]").get(0).version());

        store.behave(Behaviour.GOOD.telling(Etags.WEAK));
        FileVersion weak = found(settings(), name).get(0).version().orElseThrow();
        assertThat(weak.kind()).isEqualTo(FileVersion.Kind.MODIFIED);
        assertThat(weak.certain()).isFalse();
        assertThat(FileVersion.parse(weak.text())).isEqualTo(weak);
    }

    // lists may tell parts of a second, headers do not; what is as long and of the same second may follow
    @ParameterizedTest
    @EnumSource(
            value = Etags.class,
            names = {"WEAK", "NONE"})
    void aTimeOfChangeIsToTheSecondAndOfNoUseWhileAnotherChangeMayHaveIt(Etags etags) throws IOException {
        store.behave(Behaviour.GOOD.telling(etags));
        Instant at = Instant.now();
        store.put(
                "data",
                "train/a-0",
                new byte[7],
                at.minusSeconds(60).truncatedTo(SECONDS).plusMillis(123));
        store.put("data", "train/a-1", new byte[7], at);
        try (FileStores stores = new FileStores(settings())) {
            for (String glob : List.of("s3://data/train/a-*", "s3://data/train/a-0", "s3://data/train/a-1")) {
                for (StoredFile file : found(settings(), glob)) {
                    FileVersion version = file.version().orElseThrow();
                    assertThat(version.lasts()).as(glob).isEqualTo(file.name().endsWith("a-0"));
                    try (FileStore.Content content = stores.open(file.name(), version, 0, 7)) {
                        assertThat(content.in().readAllBytes()).hasSize(7);
                    }
                }
            }
        }
    }

    @Test
    void theBucketTheKeyAndTheAddressAreNamed() {
        String where = "the store at " + store.url();
        assertThat(refusal(settings(), "s3://date/train/*"))
                .isEqualTo(
                        where + " has no bucket 'date' (s3://date/train/*); check its name, or say which store it is in"
                                + " with --s3-endpoint");
        assertThat(refusal(settings(), "s3://date/train/a-0"))
                .isEqualTo(where
                        + " has no bucket 'date' (s3://date/train/a-0); check its name, or say which store it is in"
                        + " with --s3-endpoint");
        assertThat(refusal(settings(), "s3://data/train/c-0"))
                .isEqualTo(where + " has no object s3://data/train/c-0; check bucket and key");
        assertThat(refusal(settings(), "s3://data"))
                .isEqualTo("s3://data names no object; say s3://bucket/key, or s3://bucket/*");
        assertThat(refusal(settings(), store.url() + "/open/none"))
                .isEqualTo(store.url() + "/open/none is not there (404); check the address");
        assertThat(refusal(settings(), store.url() + "/data/train/a-0"))
                .isEqualTo(
                        store.url() + "/data/train/a-0 may not be read without credentials (403), which http addresses"
                                + " have none of");
        assertThat(refusal(settings(), store.url() + "/open/train/*")).contains(" cannot be listed: ");
    }

    @Test
    void credentialsAreNamed() {
        credentials("somebody");
        assertThat(refusal(settings(), "s3://data/train/*"))
                .isEqualTo("the store at " + store.url() + " does not take the credentials for s3://data/train/*"
                        + " (InvalidAccessKeyId); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another profile, for"
                        + " the workers");
        assertThat(refusal(settings(), "s3://data/train/a-0")).contains(" does not take the credentials for ");
    }

    @Test
    void theRegionIsNamed() {
        S3Settings elsewhere = S3Settings.of(Optional.of(store.url()), Optional.of("eu-west-9"), true);
        assertThat(refusal(elsewhere, "s3://data/train/*"))
                .isEqualTo("the bucket 'data' is not in the region that was asked (s3://data/train/*); say which with"
                        + " --s3-region");
    }

    // five seconds, since somebody waits for the line
    @Test
    @Tag("long")
    void anEndpointWhereNobodyAnswersIsNamed() throws IOException {
        int free = Ports.free(1).get(0);
        S3Settings nobody =
                S3Settings.of(Optional.of("http://127.0.0.1:" + free), Optional.of(ObjectServer.REGION), true);
        assertThatThrownBy(() -> found(nobody, "s3://data/*")).isInstanceOfSatisfying(StoreFailed.class, failed -> {
            assertThat(failed.kind()).isEqualTo(StoreFailed.Kind.UNREACHABLE);
            assertThat(failed.getMessage())
                    .startsWith("the store at http://127.0.0.1:" + free + " cannot be reached for s3://data/* (")
                    .endsWith("; check --s3-endpoint, and whether it runs");
        });
    }

    private Ended command(String data, String endpoint) throws Exception {
        Path pipeline = Files.write(
                Files.createTempFile("numbers", ".pb"), Numbers.inBatchesOf(4).graph());
        return Command.java(Praline.class, "pipeline", "describe", pipeline.toString(), "--data", data)
                .and("--s3-endpoint", endpoint, "--s3-region", ObjectServer.REGION, "--s3-path-style")
                .with("AWS_ACCESS_KEY_ID", ObjectServer.ACCESS_KEY)
                .with("AWS_SECRET_ACCESS_KEY", "secret")
                .run();
    }

    @Test
    @Tag("long")
    void aCommandEndsWithALineAndACodeOfItsOwn() throws Exception {
        Ended refused = command("s3://date/*", store.url());
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.err()).contains("has no bucket 'date'");

        Ended unreachable =
                command("s3://data/*", "http://127.0.0.1:" + Ports.free(1).get(0));
        assertThat(unreachable.code()).isEqualTo(5);
        assertThat(unreachable.err()).contains(" cannot be reached for s3://data/* (");
    }

    @Test
    void aListIsAskedForAgain() {
        store.refuse(3);

        assertThat(names("s3://data/train/a-*")).containsExactly("a-0", "a-1");
        assertThat(store.requests()).isEqualTo(4);
    }
}
