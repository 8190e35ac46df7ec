package io.praline.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BoundedTextTest {
    @Property
    void aTextIsWholeOrCutBetweenCharactersAndSaysSo(
            @ForAll String text, @ForAll @IntRange(min = 3, max = 50) int bytes) {
        String well = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        String cut = BoundedText.cut(well, bytes);
        int length = cut.getBytes(StandardCharsets.UTF_8).length;
        assertThat(length).isLessThanOrEqualTo(bytes);
        if (well.getBytes(StandardCharsets.UTF_8).length <= bytes) {
            assertThat(cut).isEqualTo(well);
        } else {
            assertThat(cut).endsWith("...");
            assertThat(well).startsWith(cut.substring(0, cut.length() - 3));
            assertThat(length).isGreaterThan(bytes - 4);
        }
    }

    @Property
    void theEndOfATextIsWholeOrCutBetweenCharactersAndSaysSo(
            @ForAll String text, @ForAll @IntRange(min = 3, max = 50) int bytes) {
        String well = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        String end = BoundedText.end(well, bytes);
        int length = end.getBytes(StandardCharsets.UTF_8).length;
        assertThat(length).isLessThanOrEqualTo(bytes);
        if (well.getBytes(StandardCharsets.UTF_8).length <= bytes) {
            assertThat(end).isEqualTo(well);
        } else {
            assertThat(end).startsWith("...");
            assertThat(well).endsWith(end.substring(3));
            assertThat(length).isGreaterThan(bytes - 4);
        }
    }

    // four bytes each: 1,023 of them and the dots are 4,095 bytes
    @Test
    void aReasonHasFourKilobytes() {
        assertThat(BoundedText.reason("\uD83D\uDE00".repeat(1_024))).hasSize(2_048);
        assertThat(BoundedText.reason("\uD83D\uDE00".repeat(1_025))).isEqualTo("\uD83D\uDE00".repeat(1_023) + "...");
    }
}
