package io.praline.deploy.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which workers are shown: those that were heard of by the clock of the broker that stamps their beats. */
class WorkerViewsTest {
    private static final long NOON = 1_800_000_000_000L;
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final WorkerViews views = new WorkerViews(Duration.ofSeconds(5));

    private void beat(int partition, String worker, long millis) {
        WorkerHeartbeat beat = WorkerHeartbeat.newBuilder()
                .setWorker(worker)
                .setIncarnation(worker + "-1")
                .setHost("host")
                .setAddresses(List.of("tcp://host:7000"))
                .setSlots(1)
                .setCores(1)
                .setMemoryBytes(0)
                .setLoad(0)
                .setLocal(false)
                .setDraining(false)
                .setLeaving(false)
                .setPlanning(List.of())
                .setAttempts(List.of())
                .build();
        views.take(
                partition,
                WorkerEvent.newBuilder().setPool("default").setBody(beat).build(),
                millis);
    }

    private List<String> present() {
        return views.present().stream().map(view -> view.beat().getWorker()).toList();
    }

    @Test
    void whoIsSilentWhileOthersBeatIsNotShown() {
        beat(0, "silent", NOON);
        for (int second = 0; second < 5; second++) {
            beat(0, "there", NOON + 1_000L * second);
        }
        assertThat(present()).containsExactly("silent", "there");
        beat(0, "there", NOON + 5_500);
        beat(0, "there", NOON + 6_500);
        assertThat(present()).containsExactly("there");
    }

    // one broker leads the partition of one pool, another one that of the other
    @Test
    void aBrokerWhoseClockIsAnHourOffHidesNobody() {
        for (int second = 0; second < 10; second++) {
            beat(0, "ahead", NOON + HOUR + 1_000L * second);
            beat(1, "behind", NOON + 1_000L * second);
        }
        assertThat(present()).containsExactly("ahead", "behind");
    }

    @Test
    void aClockThatIsSetHidesNobody() {
        beat(0, "a", NOON);
        beat(0, "b", NOON + HOUR);
        beat(0, "a", NOON + HOUR + 1_000);
        assertThat(present()).containsExactly("a", "b");
        beat(0, "b", NOON);
        beat(0, "a", NOON + 1_000);
        assertThat(present()).containsExactly("a", "b");
    }
}
