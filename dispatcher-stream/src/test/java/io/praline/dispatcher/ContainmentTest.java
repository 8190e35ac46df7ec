package io.praline.dispatcher;

import static io.praline.dispatcher.TwoJobs.STEADY;
import static io.praline.dispatcher.TwoJobs.VICTIM;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.QuarantinedRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What cannot be gone on with costs no more than the job it belongs to. */
class ContainmentTest {

    // requests, plans, beats, reports, and what beats tell of its attempts: about 160 of them in all
    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    void whateverIsWrongInARecordOfAJobOthersGoOn(@ForAll long seed, @ForAll @IntRange(max = 160) int number) {
        try (TwoJobs jobs = new TwoJobs()) {
            Poison poison = new Poison(jobs.rig().codec(), new Random(seed), VICTIM, number);
            jobs.rig().spoil(poison);
            jobs.begin(5);
            try {
                jobs.assertSteady();
            } catch (RuntimeException | AssertionError thrown) {
                throw new AssertionError("after " + poison.done(), thrown);
            }
        }
    }

    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    void whateverIsWrongInARowOfAJobOthersGoOn(
            @ForAll long seed, @ForAll @IntRange(max = 12) int seconds, @ForAll boolean anotherTakesOver) {
        Random random = new Random(seed);
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(seconds);
            List<byte[]> keys = jobs.rig().rows().keys(VICTIM);
            byte[] key = keys.get(random.nextInt(keys.size()));
            byte[] row = jobs.rig().rows().get(key).clone();
            jobs.rig().rows().put(key, damaged(row, random));
            if (anotherTakesOver) {
                jobs.rig().restart();
            }
            try {
                jobs.assertSteady();
            } catch (RuntimeException | AssertionError thrown) {
                throw new AssertionError("row " + new String(key, StandardCharsets.UTF_8) + " damaged", thrown);
            }
        }
    }

    private static byte[] damaged(byte[] row, Random random) {
        if (row.length == 0 || random.nextInt(3) == 0) {
            byte[] noise = new byte[1 + random.nextInt(40)];
            random.nextBytes(noise);
            return noise;
        }
        if (random.nextBoolean()) {
            return Arrays.copyOf(row, random.nextInt(row.length));
        }
        row[random.nextInt(row.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        return row;
    }

    private static byte[] key(char kind, String owner) {
        return (kind + owner).getBytes(StandardCharsets.UTF_8);
    }

    private static void breaks(TwoJobs jobs, char kind, String owner) {
        assertThat(jobs.rig().rows().get(key(kind, owner))).isNotNull();
        jobs.rig().rows().put(key(kind, owner), new byte[] {(byte) 0xff});
        jobs.rig().restart();
        jobs.live(1);
    }

    @Test
    void aJobWhoseHeaderCannotBeReadFailsAndTheReasonIsTold() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            breaks(jobs, 'j', VICTIM);
            assertThat(jobs.state(VICTIM)).isEqualTo(JobState.FAILED);
            assertThat(jobs.rig().status(VICTIM).getFailure()).isEqualTo(FailureKind.FAILED);
            assertThat(jobs.rig().status(VICTIM).getReason())
                    .isEqualTo("its rows cannot be read: java.nio.BufferUnderflowException");
            assertThat(jobs.rig().status(VICTIM).getPool()).isEqualTo(Rig.POOL);
            assertThat(jobs.rig().status(VICTIM).getRequester()).isEqualTo("client");
            assertThat(jobs.rig().setAside()).containsExactly("all rows of job victim");
            assertThat(jobs.rig().quarantined()).isEmpty();
            jobs.assertSteady();
        }
    }

    @Test
    void aJobOfWhichNothingIsKnownAnyMoreFailsToo() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            breaks(jobs, 's', VICTIM);
            assertThat(jobs.state(VICTIM)).isEqualTo(JobState.FAILED);
            assertThat(jobs.rig().status(VICTIM).getPool()).isEmpty();
            // its id is taken, whoever asks, until it is forgotten
            jobs.rig().submit(VICTIM, Rig.submit().build());
            assertThat(jobs.state(VICTIM)).isEqualTo(JobState.FAILED);
            jobs.rig().restart();
            jobs.assertSteady();
            for (int minute = 0; minute < 61; minute++) {
                jobs.rig().pass(Duration.ofMinutes(1));
            }
            // but that there was one, for as long as topics tell of it
            assertThat(jobs.rig().rows().keys(VICTIM)).containsExactly(key('d', VICTIM));
        }
    }

    @Test
    void rowsOfPoolsAndTenantsThatCannotBeReadAreMadeAnew() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            breaks(jobs, 'q', Rig.POOL);
            breaks(jobs, 'w', Rig.POOL + "\u0000w1");
            assertThat(jobs.rig().setAside())
                    .containsExactly("the row of pool default", "the row of a worker of pool default");
            jobs.assertSteady();
        }
    }

    @Test
    void aJobThatThrowsAtATickFailsAndNoRecordIsToBlame() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            byte[] page = jobs.rig().rows().keys(VICTIM).stream()
                    .filter(key -> key[0] == 'o')
                    .findFirst()
                    .orElseThrow();
            jobs.rig().rows().put(page, new byte[] {(byte) 0xff});
            jobs.assertSteady();
            assertThat(jobs.state(VICTIM)).isEqualTo(JobState.FAILED);
            assertThat(jobs.rig().status(VICTIM).getReason())
                    .endsWith("cannot be taken: java.nio.BufferUnderflowException");
            assertThat(jobs.rig().setAside()).containsExactly("job victim");
            // the record at which it was found, for people
            assertThat(jobs.rig().quarantined())
                    .singleElement()
                    .extracting(QuarantinedRecord::getReason)
                    .isEqualTo(jobs.rig().status(VICTIM).getReason());
        }
    }

    @Test
    void whatThrowsOnceIsTakenAgainAndNobodyNotices() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            for (int call = 1; call < 60; call++) {
                jobs.rig().faults().breakAt(call, 1);
                jobs.live(1);
            }
            jobs.assertSteady();
            assertThat(jobs.rig().setAside()).isEmpty();
            assertThat(jobs.rig().quarantined()).isEmpty();
            assertThat(jobs.state(VICTIM)).isEqualTo(JobState.COMPLETED);
        }
    }

    @Test
    void aSubmissionThatCannotBeTakenIsToldToWhoWaitsForIt() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(1);
            jobs.rig().faults().breakAtPut(key('s', "poison"), 2);
            jobs.rig().submit("poison", Rig.submit().build());
            assertThat(jobs.state("poison")).isEqualTo(JobState.FAILED);
            assertThat(jobs.rig().status("poison").getReason())
                    .startsWith("the record job-requests/0/")
                    .endsWith(" cannot be taken: java.lang.IllegalStateException: broken");
            assertThat(jobs.rig().quarantined()).hasSize(1);
            jobs.assertSteady();
            assertThat(jobs.state(STEADY)).isEqualTo(JobState.COMPLETED);
        }
    }
}
