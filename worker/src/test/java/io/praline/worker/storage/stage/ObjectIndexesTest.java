package io.praline.worker.storage.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.stage.RecordIndex.Cut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectIndexesTest {
    private static final String OBJECT = "s3://b/a";
    private static final FileVersion VERSION = new FileVersion(FileVersion.Kind.ETAG, 300, "\"1\"");
    private static final RecordIndex INDEX = new RecordIndex(List.of(new Cut(0, 120, 4), new Cut(120, 300, 5)));

    @TempDir
    private Path folder;

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void whatOneFoundOutAnotherOneKnows() {
        assertThat(ObjectIndexes.in(folder).lack(OBJECT, VERSION)).isTrue();
        ObjectIndexes.in(folder).keep(OBJECT, VERSION, INDEX);
        assertThat(ObjectIndexes.in(folder).of(OBJECT, VERSION)).contains(INDEX);
        assertThat(ObjectIndexes.in(folder).lack(OBJECT, VERSION)).isFalse();
    }

    @Test
    void anotherContentHasNone() {
        ObjectIndexes indexes = ObjectIndexes.in(folder);
        indexes.keep(OBJECT, VERSION, INDEX);
        assertThat(indexes.of(OBJECT, new FileVersion(FileVersion.Kind.ETAG, 300, "\"2\"")))
                .isEmpty();
        assertThat(indexes.of("s3://b/other", VERSION)).isEmpty();
    }

    // a second content of the same length within the same second would have the same name
    @Test
    void whereAChangeMayGoUnnoticedNothingIsKept() {
        FileVersion dated = new FileVersion(FileVersion.Kind.MODIFIED, 300, "today");
        ObjectIndexes indexes = ObjectIndexes.in(folder);
        indexes.keep(OBJECT, dated, INDEX);
        assertThat(indexes.of(OBJECT, dated)).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void oneThatDoesNotGoToTheEndIsNotKept() {
        ObjectIndexes indexes = ObjectIndexes.in(folder);
        indexes.keep(OBJECT, VERSION, new RecordIndex(List.of(new Cut(0, 120, 4))));
        assertThat(indexes.of(OBJECT, VERSION)).isEmpty();
    }

    /** Every byte of it may be another one, and it may end anywhere. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatIsBrokenIsAsNoneAndGoes(boolean cut) throws IOException {
        ObjectIndexes indexes = ObjectIndexes.in(folder);
        indexes.keep(OBJECT, VERSION, INDEX);
        Path file = file();
        byte[] whole = Files.readAllBytes(file);
        for (int i = 0; i < whole.length; i++) {
            byte[] broken = cut ? java.util.Arrays.copyOf(whole, i) : whole.clone();
            if (!cut) {
                broken[i] ^= 1;
            }
            Files.write(file, broken);
            assertThat(indexes.of(OBJECT, VERSION)).as("byte %d", i).isEmpty();
            assertThat(file).doesNotExist();
        }
        indexes.keep(OBJECT, VERSION, INDEX);
        assertThat(indexes.of(OBJECT, VERSION)).contains(INDEX);
    }

    @Test
    void whereThereIsNoFolderNothingIsKept() throws IOException {
        ObjectIndexes indexes = ObjectIndexes.in(Files.createFile(folder.resolve("file")));
        indexes.keep(OBJECT, VERSION, INDEX);
        assertThat(indexes.of(OBJECT, VERSION)).isEmpty();
        assertThat(indexes.lack(OBJECT, VERSION)).isFalse();
    }
}
