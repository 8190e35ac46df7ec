package io.praline.deploy.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.JobPlan.Element;
import io.praline.deploy.chaos.trainer.Life.Trained;
import io.praline.deploy.chaos.trainer.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final List<Element> FOUR = new JobPlan(Shape.PLAIN, 4, 1, 1, 2, 0, Duration.ZERO).expected();

    private static Trained trained(long number, int life, long at) {
        return new Trained(new Element(0, number), number, 0, life, at);
    }

    private static Tally tally(Collection<Trained> all, Set<Integer> livesInDoubt) {
        return Tally.of(FOUR, all, one -> livesInDoubt.contains(one.life()));
    }

    private static List<Long> counts(Tally tally) {
        return List.of(tally.trained(), tally.missing(), tally.duplicates(), tally.possiblyTwice(), tally.foreign());
    }

    @Test
    void whatCameOnceIsWell() {
        assertThat(counts(tally(
                        List.of(trained(0, 0, 1), trained(1, 0, 1), trained(2, 0, 2), trained(3, 0, 2)), Set.of())))
                .containsExactly(4L, 0L, 0L, 0L, 0L);
    }

    @Test
    void whatNeverCameIsMissingAndWhatIsNotThereIsForeign() {
        Tally tally = tally(List.of(trained(0, 0, 1), trained(1, 0, 1), trained(2, 0, 1), trained(4, 0, 1)), Set.of());
        assertThat(counts(tally)).containsExactly(4L, 1L, 0L, 0L, 1L);
        assertThat(tally.examples())
                .containsExactly(
                        "Element[epoch=0, number=3] was never trained on",
                        "Element[epoch=0, number=4] is none of the job's");
        assertThat(counts(tally.withoutMissing())).containsExactly(4L, 0L, 0L, 0L, 1L);
    }

    // 3 was trained on by a life that ceased before it was acknowledged, and comes again
    @Test
    void whatWasInDoubtMayComeAgain() {
        List<Trained> all = new ArrayList<>();
        for (long number = 0; number < 4; number++) {
            all.add(trained(number, number == 3 ? 0 : 1, 1));
        }
        all.add(trained(3, 1, 2));
        assertThat(counts(tally(all, Set.of(0)))).containsExactly(5L, 0L, 0L, 1L, 0L);
        assertThat(counts(tally(all, Set.of()))).containsExactly(5L, 0L, 1L, 0L, 0L);
    }

    // the first acknowledged it, so that it must not have come to the second, whether that one was in doubt or not
    @Test
    void whatWasCertainOnceIsTwiceEverAfter() {
        List<Trained> all = List.of(trained(0, 0, 1), trained(0, 1, 2), trained(0, 2, 3));
        assertThat(tally(all, Set.of(1, 2)).duplicates()).isEqualTo(2);
        assertThat(tally(all, Set.of(0, 2)).duplicates()).isEqualTo(1);
        assertThat(tally(all, Set.of(0, 1)).duplicates()).isZero();
        assertThat(tally(all, Set.of(0, 1)).possiblyTwice()).isEqualTo(2);
    }

    @Property
    void everyRepeatIsCountedOnce(
            @ForAll @Size(max = 60) List<@IntRange(max = 9) Integer> numbers,
            @ForAll Set<@IntRange(max = 3) Integer> doubt) {
        List<Trained> all = new ArrayList<>();
        for (int at = 0; at < numbers.size(); at++) {
            all.add(trained(numbers.get(at), at % 4, at));
        }
        Tally tally = tally(all, doubt);
        long different = numbers.stream().distinct().count();
        assertThat(tally.duplicates() + tally.possiblyTwice()).isEqualTo(all.size() - different);
        long known = numbers.stream().distinct().filter(number -> number < 4).count();
        assertThat(tally.missing()).isEqualTo(4 - known);
        assertThat(tally.foreign()).isEqualTo(different - known);
    }
}
