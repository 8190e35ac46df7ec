package io.praline.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is on a topic stays there for weeks, and may be read by a program of today. Each version of a topic's envelope
 * that was ever on a branch people use is kept as {@code src/test/history/SUBJECT/VERSION.avsc}, everything inlined.
 */
class SchemaHistoryTest {
    private static final Path HISTORY = Path.of("src", "test", "history");
    private static final Path CANDIDATES = Path.of("target", "history");

    private static final JsonMapper JSON = new JsonMapper();

    /** What Avro's compiler adds for Java alone. */
    private static final String JAVA_STRING = ",\"avro.java.string\":\"String\"";

    static List<Path> subjects() throws IOException {
        try (Stream<Path> entries = Files.list(HISTORY)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void everyOldVersionIsStillRead(Path subject) throws Exception {
        for (Path file : versions(subject)) {
            Schema old = parse(file);
            assertThat(unreadable(current(old), old)).as(file.toString()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void theNewestVersionIsInTheHistory(Path subject) throws Exception {
        List<Path> versions = versions(subject);
        Path newest = versions.get(versions.size() - 1);
        Schema current = current(parse(newest));
        if (!current.equals(parse(newest))) {
            Path candidate = CANDIDATES.resolve(subject.getFileName()).resolve(versions.size() + 1 + ".avsc");
            Files.createDirectories(candidate.getParent());
            JSON.writerWithDefaultPrettyPrinter().writeValue(candidate.toFile(), JSON.readTree(current.toString()));
            fail(current.getName() + " differs from " + newest + ": if that is meant, copy schemas/" + candidate
                    + " to " + subject);
        }
    }

    @Test
    void aChangeThatMakesOldRecordsUnreadableIsFound() {
        Schema old = new Schema.Parser().parse("""
                        {"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}
                        """);
        Schema without = new Schema.Parser().parse("""
                        {"type": "record", "name": "R", "fields": [
                          {"name": "a", "type": "int"}, {"name": "b", "type": "int"}]}
                        """);
        Schema with = new Schema.Parser().parse("""
                        {"type": "record", "name": "R", "fields": [
                          {"name": "a", "type": "int"}, {"name": "b", "type": "int", "default": 0}]}
                        """);

        assertThat(unreadable(without, old)).contains("READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1: b");
        assertThat(unreadable(with, old)).isEmpty();
    }

    /** The versions of a subject, oldest first, counted from 1 without a gap. */
    private static List<Path> versions(Path subject) throws IOException {
        List<Path> versions;
        try (Stream<Path> files = Files.list(subject)) {
            versions = files.sorted(Comparator.comparingInt(SchemaHistoryTest::number))
                    .toList();
        }
        for (int i = 0; i < versions.size(); i++) {
            assertThat(number(versions.get(i))).as(subject.toString()).isEqualTo(i + 1);
        }
        return versions;
    }

    private static int number(Path file) {
        return Integer.parseInt(file.getFileName().toString().replace(".avsc", ""));
    }

    private static Schema parse(Path file) throws IOException {
        return new Schema.Parser().parse(file.toFile());
    }

    /** Today's version of an envelope. */
    private static Schema current(Schema old) throws ClassNotFoundException {
        Class<? extends SpecificRecord> type = Class.forName(old.getFullName()).asSubclass(SpecificRecord.class);
        String text = SpecificData.get().getSchema(type).toString();
        return new Schema.Parser().parse(text.replace(JAVA_STRING, ""));
    }

    /** Why the reader does not read what the writer wrote, if so. */
    private static Optional<String> unreadable(Schema reader, Schema writer) {
        List<SchemaCompatibility.Incompatibility> found = SchemaCompatibility.checkReaderWriterCompatibility(
                        reader, writer)
                .getResult()
                .getIncompatibilities();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(found.stream()
                        .map(each -> each.getType() + " at " + each.getLocation() + ": " + each.getMessage())
                        .collect(Collectors.joining("; ")));
    }
}
