package io.praline.dispatcher.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.JobStatus;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list in the schema's doc is what people read who act on what a job waits for. */
class WaitingForTest {
    private static final Pattern LIST = Pattern.compile("WAITING\\(word\\): ([^;]*);");

    @Test
    void theSchemaNamesEveryWordAndNoOther() {
        Matcher list =
                LIST.matcher(JobStatus.getClassSchema().getField("waitingFor").doc());
        assertThat(list.find()).isTrue();
        List<String> named =
                List.of(list.group(1).replaceAll(" \\([^)]*\\)", "").split(", "));
        assertThat(named)
                .containsExactlyElementsOf(
                        Arrays.stream(WaitingFor.values()).map(WaitingFor::text).toList());
    }

    @Test
    void aTextIsItsMeaningOrNone() {
        assertThat(WaitingFor.of("consumer")).contains(WaitingFor.CONSUMER);
        assertThat(WaitingFor.of("")).isEmpty();
        assertThat(WaitingFor.of("a later word")).isEmpty();
        assertThat(WaitingFor.CONSUMERS.is("consumers")).isTrue();
        assertThat(WaitingFor.CONSUMERS.is("consumer")).isFalse();
    }
}
