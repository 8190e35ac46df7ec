package io.praline.worker.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.SplitPage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SplitPagesPropertyTest {
    private static final List<SplitKind> KINDS = List.of(SplitKind.values());

    /** Splits of all kinds in turn, each of another size. */
    private static List<Split> splits(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> Split.newBuilder()
                        .setKind(KINDS.get(number % KINDS.size()))
                        .setSource(0)
                        .setPaths(List.of())
                        .setFrom(0)
                        .setUntil(0)
                        .setStep(0)
                        .setBytes(number)
                        .build())
                .toList();
    }

    /** Everywhere, and oftener where a page begins. */
    @Provide
    Arbitrary<Integer> counts() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(0, 3_500),
                Arbitraries.of(0, 1, 999, 1_000, 1_001, 1_999, 2_000, 2_001, 3_000));
    }

    @Property(tries = 60)
    void everySplitIsOnThePageThatItsOrdinalSays(@ForAll("counts") int count) {
        List<SplitPage> pages = new ArrayList<>();
        SplitPages out = new SplitPages(pages::add);
        List<Split> splits = splits(count);
        splits.forEach(out::add);
        out.flush();

        assertThat(out.splits()).isEqualTo(count);
        assertThat(pages).hasSize((count + 999) / 1_000);
        for (int number = 0; number < pages.size(); number++) {
            assertThat(pages.get(number))
                    .isEqualTo(new SplitPage(
                            number, splits.subList(number * 1_000, Math.min(count, (number + 1) * 1_000))));
        }
    }

    @Example
    void aFullPageGoesAtOnceAndNoEmptyOneFollows() {
        List<SplitPage> pages = new ArrayList<>();
        SplitPages out = new SplitPages(pages::add);
        splits(999).forEach(out::add);
        assertThat(pages).isEmpty();

        splits(1).forEach(out::add);
        assertThat(pages).hasSize(1);

        out.flush();
        assertThat(pages).hasSize(1);
    }
}
