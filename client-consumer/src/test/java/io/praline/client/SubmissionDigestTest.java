package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.Submit;
import io.praline.topics.Agreements;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmissionDigestTest {
    private static final SubmitWriter WRITER = new SubmitWriter(new GraphFolder(Optional.empty()));
    private static final byte[] GRAPH = {1, 2, 3};

    @TempDir
    Path folder;

    private static String digest(JobSpec spec) {
        return WRITER.write("default", "j", spec).getDigest();
    }

    private static JobSpec spec() {
        return JobSpec.of(GRAPH).data("/a/*", "/b/*").epochs(2);
    }

    @Test
    void isTheSameForTheSameSpecUnderAnyId() {
        assertThat(digest(spec().id("one"))).isEqualTo(digest(spec())).matches("[0-9a-f]{64}");
        assertThat(WRITER.write("default", "other", spec()).getDigest()).isEqualTo(digest(spec()));
    }

    @Test
    void isAnotherOneForWhateverTheJobWouldBeAnotherBy() {
        Stream<JobSpec> others = Stream.of(
                JobSpec.of(new byte[] {1, 2}).data("/a/*", "/b/*").epochs(2),
                spec().named("n"),
                spec().components(List.of("x")),
                spec().data("/b/*", "/a/*"),
                spec().epochs(3),
                spec().seed(1),
                spec().consumers(2),
                spec().consumerPatience(Duration.ofSeconds(5)),
                spec().guarantee(Guarantee.AT_LEAST_ONCE, false),
                spec().guarantee(Guarantee.EXACTLY_ONCE, true),
                spec().skipBad(1),
                spec().batchLimitBytes(1),
                spec().order(JobSpec.Order.OFF),
                spec().cache(CacheMode.OFF),
                spec().priceStorage(1),
                spec().priceFetch(1),
                spec().tenant("t"),
                spec().weight(2),
                spec().tenantCap(1),
                spec().goal(JobSpec.Goal.TIME),
                spec().policy("pecan"),
                spec().policy(new JobSpec.PolicyChoice("", Map.of("a", "1"), "")),
                spec().prices(1, 2),
                spec().maxRemote(3),
                spec().maxLocal(1),
                spec().cap(1));

        List<String> digests = Stream.concat(Stream.of(spec()), others)
                .map(SubmissionDigestTest::digest)
                .toList();

        assertThat(digests).doesNotHaveDuplicates();
        assertThat(WRITER.write("another pool", "j", spec()).getDigest()).isNotIn(digests);
    }

    @Test
    void knowsNothingOfTheProcessThatSubmits() {
        assertThat(digest(spec().manualAcknowledge())).isEqualTo(digest(spec()));
    }

    @Test
    void takesALargeGraphForItsContentWhereverItLies() {
        JobSpec large = JobSpec.of(new byte[Agreements.INLINE_GRAPH_BYTES + 1]);
        SubmitWriter here = new SubmitWriter(new GraphFolder(Optional.of(folder.resolve("here"))));
        SubmitWriter there = new SubmitWriter(new GraphFolder(Optional.of(folder.resolve("there"))));

        assertThat(here.write("default", "j", large).getDigest())
                .isEqualTo(there.write("default", "k", large).getDigest());
    }

    @Test
    void readsSettingsInNoOrder() {
        Map<String, String> forth = new LinkedHashMap<>();
        Map<String, String> back = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++) {
            forth.put("setting" + i, "1");
            back.put("setting" + (99 - i), "1");
        }
        Submit submit = WRITER.write("default", "j", spec());

        assertThat(digest(Submit.newBuilder(submit).setPolicySettings(forth).build(), GRAPH))
                .isEqualTo(
                        digest(Submit.newBuilder(submit).setPolicySettings(back).build(), GRAPH));
    }

    // a field that is added to the schema with its default must not make jobs of before others
    @Test
    void leavesOutWhatIsAsItIsWhereNobodySaysIt() {
        Submit usual = Submit.newBuilder(WRITER.write("default", "j", spec()))
                .setCache("")
                .setOrder("")
                .setGraph(ByteBuffer.allocate(0))
                .build();

        assertThat(digest(usual, GRAPH)).isEqualTo(digest(spec()));
    }

    private static String digest(Submit submit, byte[] graph) {
        return SubmissionDigest.of("default", submit, graph);
    }

    @Test
    void goesOnWithAJobOfTheSameSpecThatHasNotEndedAndRefusesAllOthersInALine() {
        Submit submit = WRITER.write("default", "j", spec());
        JobStatus same = StatusOf.running().submission(submit.getDigest()).build();
        assertThatCode(() -> SubmissionDigest.requireSame(same, submit)).doesNotThrowAnyException();

        for (String submission : List.of("another", "")) {
            JobStatus other = StatusOf.running().submission(submission).build();
            assertThatThrownBy(() -> SubmissionDigest.requireSame(other, submit))
                    .hasMessage("job j was refused: job id j is that of a job with another spec; choose another id, or"
                            + " submit what that one was submitted with to go on with it");
        }
        JobStatus ended = StatusOf.ended(JobState.FAILED, "it broke")
                .submission(submit.getDigest())
                .build();
        assertThatThrownBy(() -> SubmissionDigest.requireSame(ended, submit))
                .hasMessage("job j was refused: job id j is that of a job that has ended (FAILED); choose another id");
    }
}
