package io.praline.dispatcher;

import static io.praline.dispatcher.TwoJobs.VICTIM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.WallTime;
import io.praline.schema.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Clocks of brokers that are off by an hour, or are set, change nothing. */
class SkewedClocksTest {
    private static final List<String> LOST =
            List.of(JournalKind.WORKER_LOST.text(), JournalKind.CONSUMER_LOST.text(), JournalKind.ATTEMPT_LOST.text());

    private static void assertNobodyIsLost(TwoJobs jobs) {
        jobs.assertSteady();
        assertThat(jobs.state(VICTIM)).isEqualTo(JobState.COMPLETED);
        assertThat(jobs.rig().journal())
                .noneMatch(entry -> LOST.contains(entry.getObservation().getKind()));
    }

    // each topic's broker is an hour off either way at most, and is replaced or set now and then
    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void whateverClocksBrokersHaveNobodyIsLost(@ForAll long seed) {
        Random random = new Random(seed);
        Map<String, Long> off = new HashMap<>();
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.rig().stamps((topic, millis) -> {
                if (!off.containsKey(topic) || random.nextInt(100) == 0) {
                    off.put(topic, random.nextInt(7_200_000) - 3_600_000L);
                }
                return Instant.ofEpochMilli(millis + off.get(topic));
            });
            jobs.begin(2);
            assertNobodyIsLost(jobs);
        }
    }

    // one broker leads the clients' topics and is a minute and more behind the one that leads the beats, or ahead of it
    @Test
    void consumersAreHeardByTheClockThatSilenceIsCountedIn() {
        for (Duration skew : List.of(Duration.ofHours(-1), Duration.ofSeconds(-90), Duration.ofHours(1))) {
            try (TwoJobs jobs = new TwoJobs()) {
                jobs.rig().stamps((topic, millis) -> Instant.ofEpochMilli(millis)
                        .plus(topic.equals("worker-heartbeats") ? Duration.ZERO : skew));
                jobs.begin(2);
                assertNobodyIsLost(jobs);
            }
        }
    }

    // the first clock behind a takeover comes when workers have not found the log again: they need 7 s
    @Test
    void behindATakeoverNobodyIsLostBeforeTheyHadTimeToBeat() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            jobs.rig().restart();
            jobs.rig().away(Duration.ofMinutes(10));
            jobs.rig().pass(Duration.ofSeconds(7));
            assertNobodyIsLost(jobs);
        }
    }

    // the dispatcher's time stood meanwhile, by which a job of this morning would be one of last night
    @Test
    void timesThatAreToldAreThoseOfPeopleAlsoBehindANightInWhichNobodyCouldWrite() {
        try (Rig rig = new Rig(1)) {
            new PretendWorker(rig, "w1", 1, 3).beat();
            rig.submit("evening", Rig.submit().build());
            rig.pass(Duration.ofSeconds(3));
            long evening = rig.status("evening").getSubmittedAtMillis();
            rig.away(Duration.ofHours(14));
            rig.pass(Duration.ofSeconds(3));
            rig.submit("morning", Rig.submit().build());
            long morning = rig.now();
            rig.pass(Duration.ofSeconds(3));
            assertThat(rig.status("morning").getSubmittedAtMillis()).isCloseTo(morning, within(1_000L));
            assertThat(rig.status("evening").getSubmittedAtMillis()).isEqualTo(evening);
            assertThat(rig.status("evening").getChangedAtMillis()).isGreaterThan(morning);
            assertThat(rig.journal())
                    .filteredOn(entry -> entry.getJob().equals("morning"))
                    .isNotEmpty()
                    .allSatisfy(entry -> {
                        assertThat(WallTime.millis(entry)).isCloseTo(morning, within(4_000L));
                        assertThat(entry.getAtMillis())
                                .isLessThan(morning - Duration.ofHours(13).toMillis());
                    });
        }
    }

    @Test
    void theDispatcherThatTakesOverCountsOnFromTheSameTime() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            Instant before = jobs.rig().time();
            jobs.rig().restart();
            // another broker leads the log now
            jobs.rig().stamps((topic, millis) -> Instant.ofEpochMilli(millis).minus(Duration.ofHours(1)));
            jobs.live(2);
            assertThat(Duration.between(before, jobs.rig().time()))
                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(4));
            assertNobodyIsLost(jobs);
        }
    }
}
