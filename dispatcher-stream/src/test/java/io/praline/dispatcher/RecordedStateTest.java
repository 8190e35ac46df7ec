package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.praline.dispatcher.turn.fault.BrokenState;
import io.praline.schema.EpochProgress;
import io.praline.schema.JobState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * State that dispatchers of other versions left. Under {@code state/FORMAT} are rows as they were, in hexadecimal, and the
 * schemas by which records in them were written: two jobs in their first of two epochs and their only one, the first tracked
 * and with two consumers, one that was cancelled, and of three workers one lost and one that drains.
 */
class RecordedStateTest {
    private static final int SCHEMA_ID = 1;

    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static String resource(String name) {
        try (InputStream in = RecordedStateTest.class.getResourceAsStream("/state/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    /** The rows are there, with records by the ids that this registry gives. */
    private void takeOver(int format) {
        int requests = rig.registry().add(resource(format + "/job-requests.avsc"));
        int splits = rig.registry().add(resource(format + "/splits.avsc"));
        resource(format + "/rows.txt").lines().forEach(line -> {
            String[] row = line.split(" ", -1);
            byte[] key = HexFormat.of().parseHex(row[0]);
            byte[] value = HexFormat.of().parseHex(row[1]);
            if (key[0] == 's' || key[0] == 'p') {
                ByteBuffer.wrap(value).putInt(SCHEMA_ID, key[0] == 's' ? requests : splits);
            }
            rig.rows().put(key, value);
        });
        rig.restart();
    }

    @Test
    void jobsOfTheFirstFormatGoOnToTheirEnds() {
        takeOver(1);
        Map<String, PretendWorker> workers = new LinkedHashMap<>();
        PretendClient first = new PretendClient(rig, "tracked", 0, workers, "consumer-0");
        PretendClient second = new PretendClient(rig, "tracked", 1, workers, "consumer-1");
        PretendClient third = new PretendClient(rig, "untracked", 0, workers, "new");
        rig.attach("tracked", 0, "new-0");
        rig.attach("tracked", 1, "new-1");
        rig.attach("untracked", 0, "new");
        assertThat(rig.setAside()).isEmpty();
        assertThat(rig.status("tracked").getProgress())
                .extracting(EpochProgress::getConsumed, EpochProgress::getElements, EpochProgress::getSplitsClosed)
                .containsExactly(tuple(304L, 315L, 20L));
        assertThat(rig.status("tracked").getTenant()).isEqualTo("one");
        assertThat(first.given(0)).isEmpty();
        assertThat(second.given(0)).isEmpty();
        first = new PretendClient(rig, "tracked", 0, workers, "new-0");
        second = new PretendClient(rig, "tracked", 1, workers, "new-1");
        PretendWorker worker = new PretendWorker(rig, "w9", 4, 40);
        workers.put("w9", worker);
        worker.beat();
        for (int second1 = 0; second1 < 200 && !over(); second1++) {
            rig.seconds(1, workers.values(), first, second, third);
        }
        assertThat(rig.status("tracked").getState())
                .as(rig.status("tracked").toString())
                .isEqualTo(JobState.COMPLETED);
        assertThat(rig.status("untracked").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(rig.status("tracked").getProgress())
                .extracting(EpochProgress::getConsumed)
                .containsExactly(560L, 560L);
        // 304 of the first epoch's were with the loop before
        assertThat(first.given(0).size() + second.given(0).size()).isEqualTo(560 - 304);
        assertThat(first.given(1).size() + second.given(1).size()).isEqualTo(560);
        assertThat(rig.setAside()).isEmpty();
    }

    private boolean over() {
        return rig.status("tracked").getState() == JobState.COMPLETED
                && rig.status("untracked").getState() == JobState.COMPLETED;
    }

    @Test
    void stateOfANewerFormatStopsTheDispatcherAndNoRecordIsToBlame() {
        rig.rows().put(new byte[] {'v'}, new byte[] {2});
        rig.restart();
        assertThatThrownBy(() -> rig.beat(Rig.worker("w1", 1).build()))
                .isInstanceOf(BrokenState.class)
                .hasMessage("the state is of format 2, written by a newer dispatcher, and this one reads 1 at most:"
                        + " start the newer one");
        assertThat(rig.quarantined()).isEmpty();
    }
}
