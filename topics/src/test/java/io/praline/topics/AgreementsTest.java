package io.praline.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.identity.ExclusionReason;
import io.praline.schema.Exclusion;
import io.praline.schema.GraphContent;
import io.praline.schema.SplitPage;
import io.praline.schema.Submit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The schemas say in words what programs agree on. */
class AgreementsTest {
    @Test
    void theReasonsOfAnExclusionAreThoseOfItsSchema() {
        List<String> words = Pattern.compile("'([a-z_]+)'")
                .matcher(Exclusion.getClassSchema().getField("reason").doc())
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();

        assertThat(Arrays.stream(ExclusionReason.values()).map(ExclusionReason::word))
                .containsExactlyElementsOf(words);
    }

    @Test
    void aPageHoldsAsManySplitsAsItsSchemaSays() {
        assertThat(SplitPage.getClassSchema().getField("splits").doc())
                .contains(String.format(Locale.ROOT, "every page but the last holds %,d.", Agreements.SPLITS_A_PAGE));
    }

    @Test
    void aGraphGoesByAddressWhereItsSchemasSay() {
        String limit = "for graphs over " + (Agreements.INLINE_GRAPH_BYTES >> 10) + " KiB";

        assertThat(Submit.getClassSchema().getField("graphAddress").doc()).contains(limit);
        assertThat(GraphContent.getClassSchema().getField("address").doc()).contains(limit);
    }

    @Test
    void aGraphOfThatSizeFitsARecordWithAllElseThatASubmissionSays() {
        assertThat(Agreements.INLINE_GRAPH_BYTES).isLessThan(Agreements.RECORD_BYTES / 2);
    }

    // names are parts of keys: 100 letters of two bytes are as many as fit
    @Test
    void aNameIsWhatEveryProgramTakes() {
        for (String name : List.of("a", "pool 1/a", "ä".repeat(100))) {
            assertThat(Agreements.requireName("pool", name)).isEqualTo(name);
        }
        for (String none : List.of("", " ", "a\nb", "\u0085", "ä".repeat(101))) {
            assertThatThrownBy(() -> Agreements.requireName("pool", none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("pool must be 1 to 200 bytes of UTF-8 without control characters, is '")
                    .message()
                    .doesNotContain("\n", "\u0085");
        }
    }
}
