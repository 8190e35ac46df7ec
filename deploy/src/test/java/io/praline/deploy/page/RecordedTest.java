package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.replay.JournalFile;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Terms;
import io.praline.schema.Decided;
import io.praline.schema.JobState;
import io.praline.schema.JournalEntry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedTest {

    @TempDir
    private Path folder;

    private Picture picture(List<JournalEntry> entries) throws Exception {
        Path file = folder.resolve("journal.avro");
        JournalFile.write(file, entries);
        return Recorded.read(file).picture();
    }

    @Test
    void aJobIsWhereItsJournalEnds() throws Exception {
        Entries journal =
                new Entries("train-7").begun(Terms.USUAL).wants(2, 0).has(2, 0).window(2, 0, 0.5);
        Picture running = picture(journal.all());
        assertThat(running.source().live()).isFalse();
        assertThat(running.jobs().get("train-7").getState()).isEqualTo(JobState.RUNNING);
        assertThat(running.jobs().get("train-7").getSplits()).isEqualTo(8);
        assertThat(running.figures()).containsEntry("train-7", journal.figures());
        journal.took(
                new Observation.Clock(Instant.ofEpochSecond(200)),
                Decision.nothing(Instant.ofEpochSecond(200), "somebody cancelled it"));
        List<JournalEntry> ended = new ArrayList<>(journal.all());
        ended.set(
                5,
                JournalEntry.newBuilder(ended.get(5))
                        .setDecision(List.of(new Decided("cancelled", "train-7", Map.of(), Map.of())))
                        .build());
        Picture cancelled = picture(ended);
        assertThat(cancelled.jobs().get("train-7").getState()).isEqualTo(JobState.CANCELLED);
        assertThat(new PictureView(cancelled).job("train-7").orElseThrow())
                .extracting("now")
                .extracting("sentence")
                .isEqualTo("Cancelled: somebody cancelled it.");
    }

    // what has a gap is known to no end of money
    @Test
    void figuresOfAJournalWithoutItsBeginningTellNoMoney() throws Exception {
        List<JournalEntry> all = new Entries("train-7")
                .begun(Terms.USUAL)
                .wants(2, 0)
                .has(2, 0)
                .window(2, 0, 0.5)
                .all();
        JobFigures cut = picture(all.subList(2, all.size())).figures().get("train-7");
        assertThat(cut.whole()).isFalse();
        assertThat(cut.elementsPerSecond()).isEqualTo(1_600);
    }
}
