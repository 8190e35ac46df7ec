package io.praline.dispatcher.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Target;
import io.praline.policy.scaling.Policies;
import io.praline.schema.Clock;
import io.praline.schema.JournalEntry;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.specific.SpecificDatumWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFileTest {

    @TempDir
    Path folder;

    private static List<JournalEntry> entries(int count) {
        List<Observation> seen = new ArrayList<>();
        seen.add(new Planned(Instant.ofEpochSecond(1), 40, 0, false));
        for (int i = 1; i < count; i++) {
            Instant at = Instant.ofEpochSecond(1 + i);
            seen.add(i % 2 == 0 ? new Granted(at, new Target(i, 0)) : new PoolChanged(at, i, 2 * i));
        }
        return Journals.of(Policies.named("every-worker", Map.of()), seen);
    }

    private Path written(int count) throws IOException {
        Path file = folder.resolve("train.avro");
        JournalFile.write(file, entries(count));
        return file;
    }

    @Test
    void whatWasWrittenIsReadBack() throws IOException {
        assertThat(JournalFile.read(written(500))).isEqualTo(entries(500));
        JournalFile.write(folder.resolve("train.avro"), List.of());
        assertThat(JournalFile.read(folder.resolve("train.avro"))).isEmpty();
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("train.avro"));
        }
    }

    @Test
    void noFolderIsReplacedAndNoneIsMade() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> JournalFile.write(empty, entries(1)))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(empty + ": Is a directory");
        assertThat(empty).isEmptyDirectory();
        assertThatThrownBy(() -> JournalFile.write(folder.resolve("nowhere/train.avro"), entries(1)))
                .isInstanceOf(NoSuchFileException.class);
    }

    // as /dev/null, of whoever may replace it
    @Test
    void whatIsNoFileIsNotReplaced() throws IOException {
        Path socket = folder.resolve("socket");
        try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(UnixDomainSocketAddress.of(socket));
            assertThatThrownBy(() -> JournalFile.write(socket, entries(1)))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessage(socket + ": it is a device or a pipe, and no file");
            assertThat(Files.isRegularFile(socket)).isFalse();
        }
    }

    @Test
    void whatALinkLeadsToIsWritten() throws IOException {
        Path file = Files.createFile(folder.resolve("train.avro"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        JournalFile.write(link, entries(3));
        assertThat(link).isSymbolicLink();
        assertThat(JournalFile.read(file)).hasSize(3);
        Files.delete(link);
    }

    /** Wherever it ends, it is either no Avro or cut off, and never a shorter journal. */
    @Test
    void aFileThatIsCutOffIsToldSo() throws IOException {
        byte[] whole = Files.readAllBytes(written(300));
        Path cut = folder.resolve("cut.avro");
        for (int length = 0; length < whole.length; length += 1 + whole.length / 200) {
            Files.write(cut, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> JournalFile.read(cut))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching(".*cut.avro is (cut off|no Avro container file).*");
        }
        Files.write(cut, Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(() -> JournalFile.read(cut))
                .hasMessage(cut + " is cut off after 0 entries of 300: export it again");
    }

    @Test
    void aDamagedFileIsToldInOneLine() throws IOException {
        byte[] bytes = Files.readAllBytes(written(300));
        Arrays.fill(bytes, bytes.length - 400, bytes.length - 100, (byte) 0x55);
        Path damaged = Files.write(folder.resolve("damaged.avro"), bytes);
        assertThatThrownBy(() -> JournalFile.read(damaged))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("[^\n]*damaged.avro is damaged behind entry \\d+: [^\n]*");
    }

    @Test
    void whatIsNoAvroOrNoJournalIsToldSo() throws IOException {
        Path text = Files.writeString(folder.resolve("journal.txt"), "not a journal at all, but long enough to be one");
        assertThatThrownBy(() -> JournalFile.read(text))
                .hasMessage(text + " is no Avro container file: export a journal with 'praline journal export JOB --to"
                        + " FILE'");
        Path clocks = folder.resolve("clocks.avro");
        try (DataFileWriter<Clock> out = new DataFileWriter<>(new SpecificDatumWriter<>(Clock.class))) {
            out.create(Clock.getClassSchema(), clocks.toFile());
        }
        assertThatThrownBy(() -> JournalFile.read(clocks))
                .hasMessage(clocks + " holds io.praline.schema.Clock, not io.praline.schema.JournalEntry: it is no"
                        + " journal");
    }

    /** A later release's journal has a field more, in itself or further in, or another kind of value. */
    @Test
    void aNewerSchemaIsToldByWhatIsNotKnown() throws IOException {
        assertNewer(
                "\"name\":\"reason\"",
                "\"name\":\"mood\",\"type\":\"string\"},{\"name\":\"reason\"",
                "JournalEntry.mood");
        assertNewer(
                "\"name\":\"subject\"", "\"name\":\"place\",\"type\":\"int\"},{\"name\":\"subject\"", "Observed.place");
        assertNewer(
                "\"name\":\"sequence\",\"type\":\"long\"",
                "\"name\":\"sequence\",\"type\":\"string\"",
                "JournalEntry.sequence (string for long)");
    }

    private void assertNewer(String ours, String theirs, String named) throws IOException {
        String schema = JournalEntry.getClassSchema().toString().replaceFirst(ours, theirs);
        Path newer = folder.resolve("newer.avro");
        try (DataFileWriter<Object> out = new DataFileWriter<>(new GenericDatumWriter<>())) {
            out.create(new Schema.Parser().parse(schema), newer.toFile());
        }
        assertThatThrownBy(() -> JournalFile.read(newer))
                .hasMessage(newer + " is of a newer schema: " + named
                        + " is not known here; read it with the version of Praline that wrote it");
    }
}
