package io.praline.deploy.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.planning.DataFile;
import io.praline.worker.planning.TfRecordScanner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleImagesTest {

    @TempDir
    Path folder;

    // 10 images over 4 files: 2 + 3 + 2 + 3
    @Test
    void writesEachImageOnceOverAllFiles() throws Exception {
        AtomicLong told = new AtomicLong();
        new SampleImages(10, 4, 1).write(folder, told::addAndGet);

        List<Integer> counts = new ArrayList<>();
        for (Path file : files()) {
            counts.add(records(file).size());
        }
        assertThat(counts).containsExactly(2, 3, 2, 3);
        assertThat(told).hasValue(10);
    }

    @Test
    void makesImagesOfTheSizeThatImageNetHas() throws Exception {
        new SampleImages(8, 1, 1).write(folder, one -> {});

        List<byte[]> images = records(files().get(0));
        assertThat(images.stream().mapToInt(image -> image.length).average().orElseThrow())
                .isBetween(85_000.0, 115_000.0);
        var first = ImageIO.read(new ByteArrayInputStream(images.get(0)));
        assertThat(Math.max(first.getWidth(), first.getHeight())).isBetween(480, 520);
        assertThat(Math.min(first.getWidth(), first.getHeight())).isBetween(350, 400);
    }

    @Test
    void theSameSeedGivesTheSameBytes() throws Exception {
        SampleImages two = new SampleImages(2, 1, 7);
        two.write(folder.resolve("a"), one -> {});
        two.write(folder.resolve("b"), one -> {});

        String name = "images-00000-of-00001.tfrecord";
        assertThat(folder.resolve("a").resolve(name))
                .hasSameBinaryContentAs(folder.resolve("b").resolve(name));
    }

    @Test
    void writesOnlyTheFilesThatAreMissing() throws Exception {
        SampleImages four = new SampleImages(4, 2, 1);
        four.write(folder, one -> {});
        Files.delete(files().get(1));

        assertThat(four.missing(folder)).isEqualTo(2);
        four.write(folder, one -> {});
        assertThat(four.missing(folder)).isZero();
    }

    // as where the disk is full
    @Test
    void leavesNothingBehindOfWhatCannotBeWritten() {
        assertThatThrownBy(() -> new SampleImages(2, 1, 1).write(folder, one -> {
                    throw new UncheckedIOException(new IOException("No space left on device"));
                }))
                .hasMessageContaining("cannot write sample images to " + folder);
        assertThat(folder).isEmptyDirectory();
    }

    // in the midst of the first file: whoever made the others ends too
    @Test
    void leavesNothingBehindWhereItIsInterrupted() {
        Thread maker = Thread.currentThread();
        AtomicLong made = new AtomicLong();
        assertThatThrownBy(() -> new SampleImages(2_000, 4, 1).write(folder, one -> {
                    if (made.incrementAndGet() == 1) {
                        maker.interrupt();
                    }
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(folder).isEmptyDirectory();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    private static List<byte[]> records(Path file) throws IOException {
        byte[] all = Files.readAllBytes(file);
        List<byte[]> records = new ArrayList<>();
        TfRecordScanner.scan(
                DataFile.of(file.toString()),
                0,
                all.length,
                TfRecordScanner.Check.CONTENT,
                (index, offset, end) -> records.add(Arrays.copyOfRange(all, (int) offset + 12, (int) end - 4)));
        return records;
    }
}
