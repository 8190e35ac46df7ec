package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.Guarantee;
import io.praline.schema.Submit;
import io.praline.topics.Agreements;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmitWriterTest {
    private static final byte[] LARGE = new byte[Agreements.INLINE_GRAPH_BYTES + 1];
    private static final SubmitWriter WITHOUT_FOLDER = new SubmitWriter(new GraphFolder(Optional.empty()));

    private static final ProgramDirectory HERE =
            new ProgramDirectory(Path.of("").toAbsolutePath());

    @TempDir
    Path folder;

    @Test
    void leavesToTheDispatcherWhatNobodyAskedFor() {
        byte[] graph = {1, 2, 3};

        Submit written = WITHOUT_FOLDER.write("default", "j", JobSpec.of(graph));
        assertThat(written)
                .isEqualTo(Submit.newBuilder()
                        .setTenant("default")
                        .setWeight(1)
                        .setPipelineName("")
                        .setGraph(ByteBuffer.wrap(HERE.in(graph, false)))
                        .setGraphAddress(null)
                        .setComponentNames(List.of())
                        .setDataGlobs(List.of())
                        .setEpochs(1)
                        .setSeed(0)
                        .setConsumers(1)
                        .setConsumerPatienceSeconds(600)
                        .setGuarantee(Guarantee.EXACTLY_ONCE)
                        .setStrict(false)
                        .setSkipBad(0)
                        .setBatchLimitBytes(0)
                        .setPolicy("")
                        .setPolicySettings(Map.of())
                        .setShadow("")
                        .setGoal("COST")
                        .setClientPerHour(-1)
                        .setRemotePerHour(-1)
                        .setEgressPerGb(-1)
                        .setCap(0)
                        .setTenantCap(0)
                        .setMaxRemote(-1)
                        .setMaxLocal(0)
                        .setDigest(SubmissionDigest.of("default", written, graph))
                        .build());
    }

    @Test
    void namesOfFilesAreThoseOfTheProgramsFolder() {
        JobSpec spec =
                JobSpec.of(new byte[] {1}).directory(Path.of("/home/[me]")).data("a/*", "/b/*", "s3://c/*");

        Submit written = WITHOUT_FOLDER.write("default", "j", spec);

        assertThat(written.getDataGlobs()).containsExactly("/home/\\[me\\]/a/*", "/b/*", "s3://c/*");
        assertThat(new String(written.getGraph().array(), StandardCharsets.UTF_8))
                .contains("/home/[me]");
        // processes of one job may be in several folders
        assertThat(written.getDigest())
                .isEqualTo(WITHOUT_FOLDER
                        .write(
                                "default",
                                "j",
                                spec.directory(Path.of("/")).data("/home/\\[me\\]/a/*", "/b/*", "s3://c/*"))
                        .getDigest());
    }

    @Test
    void whatIsKeptAndWhatThatCostsGoesAlong() {
        JobSpec spec = JobSpec.of(new byte[] {1});
        assertThat(WITHOUT_FOLDER.write("default", "j", spec).getCache()).isEmpty();
        assertThat(WITHOUT_FOLDER.write("default", "j", spec).getPriceStorage()).isZero();
        assertThat(WITHOUT_FOLDER.write("default", "j", spec).getPriceFetch()).isZero();
        Submit kept = WITHOUT_FOLDER.write(
                "default", "j", spec.priceFetch(0.09).cache(CacheMode.FULL).priceStorage(0.02));
        assertThat(kept.getCache()).isEqualTo("full");
        assertThat(kept.getPriceStorage()).isEqualTo(0.02);
        assertThat(kept.getPriceFetch()).isEqualTo(0.09);
        assertThatThrownBy(() -> spec.priceFetch(Double.NaN))
                .hasMessage("the price of fetching must be 0 or more, and finite, is NaN");
        assertThatThrownBy(() -> spec.priceStorage(-1))
                .hasMessage("the price of storage must be 0 or more, and finite, is -1.0");
    }

    @Test
    void saysHowEqualResultsMustBeInTheSchemasWords() {
        JobSpec spec = JobSpec.of(new byte[] {1});

        assertThat(WITHOUT_FOLDER.write("default", "j", spec).getOrder()).isEmpty();
        assertThat(WITHOUT_FOLDER
                        .write("default", "j", spec.order(JobSpec.Order.PECAN))
                        .getOrder())
                .isEqualTo("pecan");
        assertThat(WITHOUT_FOLDER
                        .write("default", "j", spec.order(JobSpec.Order.OFF))
                        .getOrder())
                .isEqualTo("off");
    }

    @Test
    void putsALargeGraphIntoTheSharedFolderOnceUnderItsDigest() throws IOException {
        SubmitWriter writer = new SubmitWriter(new GraphFolder(Optional.of(folder.resolve("made"))));

        Submit first = writer.write("default", "j", JobSpec.of(LARGE));
        Submit second = writer.write("default", "k", JobSpec.of(LARGE));

        assertThat(first.getGraph()).isEqualTo(ByteBuffer.allocate(0));
        assertThat(Path.of(first.getGraphAddress().orElseThrow())).hasBinaryContent(HERE.in(LARGE, false));
        assertThat(second.getGraphAddress()).isEqualTo(first.getGraphAddress());
        try (Stream<Path> files = Files.list(folder.resolve("made"))) {
            assertThat(files).containsExactly(Path.of(first.getGraphAddress().orElseThrow()));
        }
    }

    @Test
    void refusesALargeGraphWhereThereIsNoSharedFolder() {
        assertThatThrownBy(() -> WITHOUT_FOLDER.write("default", "j", JobSpec.of(LARGE)))
                .isInstanceOf(JobFailed.class)
                .hasMessage("job j was refused: its graph has 524289 bytes, more than 524288 go by a file: "
                        + "name a folder that workers see under the same path"
                        + " (--graph-dir, graph_dir= in Python, withSharedDir in Java)");
    }
}
