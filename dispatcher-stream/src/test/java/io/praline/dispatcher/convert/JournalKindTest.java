package io.praline.dispatcher.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.Decided;
import io.praline.schema.Observed;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** The lists in the schemas' docs are what people read who write another reader of the journal. */
class JournalKindTest {
    private static final Pattern LIST = Pattern.compile("(?:saw|own|decided): ([^.]*)\\.");

    @Test
    void theSchemaNamesEveryKindAndNoOther() {
        assertThat(named(Observed.getClassSchema(), "kind"))
                .containsExactlyElementsOf(Arrays.stream(JournalKind.values())
                        .map(JournalKind::text)
                        .toList());
    }

    @Test
    void theSchemaNamesEveryCommandAndNoOther() {
        assertThat(named(Decided.getClassSchema(), "command"))
                .containsExactlyElementsOf(Arrays.stream(JournalCommand.values())
                        .map(JournalCommand::text)
                        .toList());
    }

    @Test
    void aTextIsItsKindOrNone() {
        assertThat(JournalKind.of("windowClosed")).contains(JournalKind.WINDOW_CLOSED);
        assertThat(JournalKind.of("shadow:windowClosed")).isEmpty();
        assertThat(JournalCommand.of("scaleTo")).contains(JournalCommand.SCALE_TO);
        assertThat(JournalCommand.of("grant")).isEmpty();
    }

    private static List<String> named(Schema schema, String field) {
        return LIST.matcher(schema.getField(field).doc())
                .results()
                .flatMap(list -> Arrays.stream(list.group(1).split(", ")))
                .toList();
    }
}
