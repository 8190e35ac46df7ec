package io.praline.deploy.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.client.CacheMode;
import io.praline.deploy.chaos.Fault.Kind;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final Set<Trouble> ALL = EnumSet.allOf(Trouble.class);

    @Property
    void theSameSeedGivesTheSameSchedule(@ForAll long seed, @ForAll @IntRange(min = 3, max = 20) int most) {
        assertThat(Schedule.of(seed, ALL, most)).isEqualTo(Schedule.of(seed, ALL, most));
    }

    @Property
    void whatRunsFollowsFromTheSeedAndWhetherEntriesMayBreak(@ForAll long seed, @ForAll @NotEmpty Set<Trouble> some) {
        Set<Trouble> all = EnumSet.copyOf(ALL);
        if (!some.contains(Trouble.entries)) {
            all.remove(Trouble.entries);
        }
        Schedule one = Schedule.of(seed, all, 6);
        Schedule other = Schedule.of(seed, some, 3);
        assertThat(other.jobs()).isEqualTo(one.jobs());
        assertThat(other.workers()).isEqualTo(one.workers());
        assertThat(other.dispatchers()).isEqualTo(one.dispatchers());
    }

    @Property
    void asManyDieAsMayAndNoFewerThanThree(
            @ForAll long seed, @ForAll Set<Trouble> some, @ForAll @IntRange(min = 3, max = 20) int most) {
        Schedule schedule = Schedule.of(seed, some, most);
        int deaths = schedule.faults().stream().mapToInt(Fault::deaths).sum();
        if (some.stream().anyMatch(Trouble::deadly)) {
            assertThat(deaths).isBetween(Schedule.LEAST_DEATHS, most);
        } else {
            assertThat(deaths).isZero();
        }
    }

    @Property
    void faultsAreInOrderAndWhileJobsRunAndOfWhatIsThere(@ForAll long seed) {
        Schedule schedule = Schedule.of(seed, ALL, 6);
        assertThat(schedule.faults()).isSortedAccordingTo(Comparator.comparingLong(Fault::at));
        assertThat(schedule.faults()).allSatisfy(fault -> {
            assertThat(fault.at()).isBetween(1L, schedule.elements() - 1);
            assertThat(fault.targets()).doesNotHaveDuplicates().allSatisfy(target -> assertThat(target.number())
                    .isLessThan(
                            switch (target.role()) {
                                case BROKER -> 1;
                                case DISPATCHER -> schedule.dispatchers();
                                case WORKER -> schedule.workers();
                                case CLIENT -> schedule.clients() + (fault.kind() == Kind.JOIN ? 1 : 0);
                            }));
        });
    }

    @Property
    void whereEntriesBreakJobsReadTheSameAgainAndKeepIt(@ForAll long seed) {
        Schedule schedule = Schedule.of(seed, EnumSet.of(Trouble.entries), 6);
        assertThat(schedule.keeps()).isTrue();
        assertThat(schedule.workers()).isGreaterThan(1);
        assertThat(schedule.faults()).hasSizeBetween(3, 5).allSatisfy(fault -> assertThat(fault.kind())
                .isEqualTo(Kind.ENTRIES));
        assertThat(schedule.jobs().get(0).cache()).contains(CacheMode.FULL);
        assertThat(schedule.jobs()).allSatisfy(job -> {
            assertThat(job.epochs()).isGreaterThanOrEqualTo(5);
            assertThat(job.shape().hasValues()).isTrue();
            assertThat(job.cache()).isPresent();
        });
        assertThat(Schedule.of(seed, EnumSet.of(Trouble.worker), 6).keeps()).isFalse();
    }

    @Property
    void aFirstConsumerIsNeverAskedToLeave(@ForAll long seed) {
        Schedule schedule = Schedule.of(seed, EnumSet.of(Trouble.leave), 6);
        assertThat(schedule.faults()).allSatisfy(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.LEAVE);
            assertThat(schedule.consumerOf(fault.targets().get(0).number())).isPositive();
        });
    }

    @Property
    void whoJoinsIsOneConsumerMoreOfAJob(@ForAll long seed) {
        Schedule schedule = Schedule.of(seed, EnumSet.of(Trouble.join), 3);
        int joiner = schedule.joiner().orElseThrow().number();
        assertThat(joiner).isEqualTo(schedule.clients());
        assertThat(schedule.consumerOf(joiner))
                .isEqualTo(schedule.jobs().get(schedule.jobOf(joiner)).consumers());
    }

    @Property
    void everyTrainerIsOneConsumerOfOneJob(@ForAll long seed) {
        Schedule schedule = Schedule.of(seed, Set.of(), 3);
        int client = 0;
        for (int job = 0; job < schedule.jobs().size(); job++) {
            for (int consumer = 0; consumer < schedule.jobs().get(job).consumers(); consumer++) {
                assertThat(schedule.jobOf(client)).isEqualTo(job);
                assertThat(schedule.consumerOf(client)).isEqualTo(consumer);
                client++;
            }
        }
        assertThat(schedule.clients()).isEqualTo(client).isBetween(2, 5);
    }

    @Test
    void fewerThanThreeDeathsAreNotToBeHad() {
        assertThatThrownBy(() -> Schedule.of(1, ALL, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("deaths must be at least 3, are 2");
    }
}
