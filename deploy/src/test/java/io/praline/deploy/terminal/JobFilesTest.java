package io.praline.deploy.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.ClosedSplits;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.FileRun;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.LedgerPage;
import io.praline.schema.PlannedFiles;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobFilesTest {
    private final JobFiles files = new JobFiles("a");

    /** Of six splits in a plan of this number. */
    private static JobStatus status(int plan, EpochProgress... progress) {
        return JobStatus.newBuilder()
                .setJob("a")
                .setPool("default")
                .setTenant("")
                .setRequester("r")
                .setPipelineName("")
                .setPipelineDigest("")
                .setState(JobState.RUNNING)
                .setReason("")
                .setFailure(FailureKind.NONE)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of())
                .setPlan(plan)
                .setSplits(6)
                .setEpochs(2)
                .setConsumers(1)
                .setSeed(0)
                .setComponents(List.of())
                .setAttempts(List.of())
                .setProgress(List.of(progress))
                .setConfirmed(List.of())
                .setBadRecords(List.of())
                .setTransformations(List.of())
                .setSubmittedAtMillis(0)
                .setChangedAtMillis(0)
                .build();
    }

    private static EpochProgress epoch(int epoch, long closed, boolean complete) {
        return new EpochProgress(epoch, 0L, 0L, List.of(), closed, complete, complete, 0L, 0L);
    }

    private void planned(int plan, int page, FileRun... runs) {
        files.take("a/files/" + page, Optional.of(new LedgerPage("a", page, new PlannedFiles(plan, List.of(runs)))));
    }

    private void closed(int epoch, int page, int... splits) {
        BitSet bits = new BitSet();
        for (int split : splits) {
            bits.set(split);
        }
        ByteBuffer bytes = ByteBuffer.wrap(bits.toByteArray());
        files.take("a/" + epoch + "/" + page, Optional.of(new LedgerPage("a", page, new ClosedSplits(epoch, bytes))));
    }

    private static JobFiles.Asked all(int epoch) {
        return new JobFiles.Asked(epoch, false, 0, 100);
    }

    private static Map<String, Object> row(String file, long splits, long closed, long bytes) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("file", file);
        row.put("splits", splits);
        row.put("closed", closed);
        row.put("bytes", bytes);
        return row;
    }

    // /y has two splits on the first page and one on the second, of which the middle one is closed
    @Test
    void aFileThatGoesOnOnTheNextPageIsOne() {
        planned(1, 0, new FileRun("/x", 2, 10L), new FileRun("/y", 2, 7L));
        planned(1, 1, new FileRun("/y", 1, 3L), new FileRun("", 1, 0L));
        closed(0, 0, 0, 1, 3);
        assertThat(files.object(status(1, epoch(0, 3, false)), all(0)))
                .containsEntry("job", "a")
                .containsEntry("epoch", 0)
                .containsEntry("splits", 6L)
                .containsEntry("closed", 3L)
                .containsEntry("untold", 0L)
                .containsEntry("files", 3)
                .containsEntry("filesClosed", 1L)
                .containsEntry("matching", 3)
                .containsEntry("from", 0)
                .containsEntry("rows", List.of(row("/x", 2, 2, 10), row("/y", 3, 1, 10), row(null, 1, 0, 0)));
    }

    @Test
    void peopleAreToldTheSameInLines() {
        planned(1, 0, new FileRun("/x", 2, 10L), new FileRun("", 2, 0L));
        closed(0, 0, 0, 1, 2);
        assertThat(JobFiles.lines(files.object(status(1, epoch(0, 3, false)), all(0))))
                .containsExactly(
                        "epoch 0: 3 of 6 splits are closed, and 1 of 2 files; of 2 splits the file is not told",
                        "  2 of 2  /x",
                        "  1 of 2  of no file");
    }

    @Test
    void ofACompleteEpochAllIsClosedAndOfOneThatDidNotBeginNothing() {
        planned(1, 0, new FileRun("/x", 6, 10L));
        JobStatus status = status(1, epoch(0, 6, true));
        assertThat(files.object(status, all(0))).containsEntry("rows", List.of(row("/x", 6, 6, 10)));
        assertThat(files.object(status, all(1))).containsEntry("rows", List.of(row("/x", 6, 0, 10)));
    }

    @Test
    void whatIsOfAnotherPlanOrGoneIsNotTold() {
        planned(1, 0, new FileRun("/old", 6, 10L));
        assertThat(files.object(status(2), all(0))).containsEntry("files", 0).containsEntry("untold", 6L);
        planned(2, 0, new FileRun("/new", 4, 10L));
        assertThat(files.object(status(2), all(0))).containsEntry("files", 1).containsEntry("untold", 2L);
        files.take("a/files/0", Optional.empty());
        assertThat(files.object(status(2), all(0))).containsEntry("files", 0);
    }

    // keys of job a/files begin as those of job a do
    @Test
    void anotherJobsPagesAreNot() {
        planned(1, 0, new FileRun("/x", 6, 10L));
        files.take(
                "a/files/1/0",
                Optional.of(new LedgerPage("a/files", 0, new ClosedSplits(1, ByteBuffer.wrap(new byte[] {63})))));
        assertThat(files.object(status(1), all(1))).containsEntry("rows", List.of(row("/x", 6, 0, 10)));
    }

    @Test
    void someRowsAreGivenAndThoseOfClosedFilesCanBeLeftOut() {
        planned(1, 0, new FileRun("/x", 2, 0L), new FileRun("/y", 2, 0L), new FileRun("/z", 2, 0L));
        closed(0, 0, 0, 1, 2);
        JobStatus status = status(1, epoch(0, 3, false));
        assertThat(files.object(status, new JobFiles.Asked(0, true, 1, 5)))
                .containsEntry("files", 3)
                .containsEntry("matching", 2)
                .containsEntry("from", 1)
                .containsEntry("rows", List.of(row("/z", 2, 0, 0)));
        assertThat(files.object(status, new JobFiles.Asked(0, false, 0, 1)))
                .containsEntry("matching", 3)
                .containsEntry("rows", List.of(row("/x", 2, 2, 0)));
        assertThat(files.object(status, new JobFiles.Asked(0, false, Integer.MAX_VALUE, Integer.MAX_VALUE)))
                .containsEntry("from", 3)
                .containsEntry("rows", List.of());
    }
}
