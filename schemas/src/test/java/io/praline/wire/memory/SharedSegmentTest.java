package io.praline.wire.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.ByteBuf;
import io.praline.wire.BatchFrame;
import io.praline.wire.ElementType;
import io.praline.wire.MalformedFrame;
import io.praline.wire.TensorLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class SharedSegmentTest {
    private static final int BYTES = 1 << 20;

    private SharedSegment clients;
    private SharedSegment workers;

    @BeforeEach
    void open() {
        clients = SharedSegment.create(BYTES).orElseThrow();
        workers = SharedSegment.open(clients.name()).orElseThrow();
    }

    @AfterEach
    void close() {
        for (SharedSegment each : List.of(clients, workers)) {
            if (each.refCnt() > 0) {
                each.discard();
            }
        }
    }

    private void put(long offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        BatchFrame frame = new BatchFrame(
                0,
                1,
                2,
                0,
                List.of(new TensorLayout(ElementType.UINT8.number(), new long[] {bytes.length}, bytes.length)),
                ByteBuffer.allocate(0));
        ByteBuf framed = io.netty.buffer.Unpooled.buffer();
        frame.writeHeader(framed);
        workers.part(offset, (int) frame.payloadBytes())
                .writeBytes(framed.skipBytes(Integer.BYTES))
                .writeBytes(bytes);
    }

    private static String text(LandedBatch batch) {
        return StandardCharsets.UTF_8.decode(batch.bodies().get(0)).toString();
    }

    @Test
    void whatTheWorkerPutsTheClientReads() {
        put(128, "far away");
        boolean[] freed = new boolean[1];
        LandedBatch batch = clients.batch(128, 64 + 8, () -> freed[0] = true);
        assertThat(text(batch)).isEqualTo("far away");
        assertThat(batch.frame().sequence()).isEqualTo(2);
        batch.memory().free();
        assertThat(freed[0]).isTrue();
    }

    @Test
    void aThirdProcessOpensItByItsDescriptorWhenTheNameIsGone() throws IOException {
        clients.unname();
        put(256, "seen by all");
        LandedBatch batch = clients.batch(256, 64 + 11, () -> {});
        SharedPlace place = batch.shared(0).orElseThrow();
        assertThat(place).isEqualTo(new SharedPlace(clients, 256 + 64));
        try (RandomAccessFile file =
                new RandomAccessFile(clients.descriptor().orElseThrow().toFile(), "r")) {
            byte[] bytes = new byte[11];
            file.seek(place.offset());
            file.readFully(bytes);
            assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("seen by all");
        }
        batch.memory().free();
        assertThat(clients.isDiscarded()).isFalse();
        clients.discard();
        assertThat(clients.isDiscarded()).isTrue();
        workers.release(); // it is of this process too
        assertThat(clients.descriptor()).isEmpty();
    }

    @Test
    void aBatchKeepsItWhenTheNameIsGoneAndTheConnectionToo() {
        put(0, "kept");
        LandedBatch batch = clients.batch(0, 64 + 4, () -> {});
        clients.discard();
        workers.release();
        assertThat(Files.exists(Path.of("/dev/shm", clients.name()))).isFalse();
        assertThat(text(batch)).isEqualTo("kept");
        assertThat(clients.refCnt()).isEqualTo(1);
        batch.memory().free();
        assertThat(clients.refCnt()).isZero();
    }

    @Test
    void aPartThatItDoesNotHaveIsMalformed() {
        for (long offset : new long[] {-64, BYTES, Long.MAX_VALUE, BYTES - 64}) {
            assertThatThrownBy(() -> clients.batch(offset, 128, () -> {})).isInstanceOf(MalformedFrame.class);
        }
        assertThatThrownBy(() -> clients.batch(0, 128, () -> {})) // zeroes are no batch
                .isInstanceOf(MalformedFrame.class);
        assertThat(clients.refCnt()).isEqualTo(1);
    }

    @Test
    void onlySegmentsAreOpened() {
        assertThat(SharedSegment.open("")).isEmpty();
        assertThat(SharedSegment.open("../../etc/passwd")).isEmpty();
        assertThat(SharedSegment.open("praline-00000000-0000-0000-0000-000000000000"))
                .isEmpty();
        workers.unname();
        assertThat(SharedSegment.open(clients.name())).isEmpty();
    }

    @Test
    void moreThanTheHostHasIsNotMade() {
        assertThat(SharedSegment.create(0)).isEmpty();
        assertThat(SharedSegment.create(Long.MAX_VALUE)).isEqualTo(Optional.empty());
        assertThat(SharedSegment.create(1L << 31)).isEqualTo(Optional.empty());
    }

    @Test
    void aPartLiesWhereItsOffsetSays() {
        workers.part(128, 4).writeInt(42);
        assertThat(clients.part(0, 256).getInt(128)).isEqualTo(42);
        assertThat(clients.part(0, 256).getInt(0)).isZero();
        assertThat(clients.part(BYTES - 64, 64).capacity()).isEqualTo(64);
        assertThat(clients.part(BYTES, 0).capacity()).isZero();
        assertThatThrownBy(() -> clients.part(BYTES - 64, 65))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("65 bytes at 1048512 of 1048576");
        assertThatThrownBy(() -> clients.part(64, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aBatchWeighsWhatItsFrameSays() {
        put(64, "far away");
        LandedBatch batch = clients.batch(64, 64 + 8, () -> {});
        assertThat(batch.memory().length()).isEqualTo(72);
        batch.memory().free();
    }

    @Test
    void itIsUnmappedWithItsLastReference() throws IOException {
        SharedSegment segment = SharedSegment.create(1).orElseThrow();
        assertThat(segment.bytes()).isEqualTo(1);
        assertThat(segment.touch("passing by")).isSameAs(segment);
        assertThat(maps()).contains(segment.name());
        SharedSegment.open(segment.name()).orElseThrow().release();
        segment.discard();
        assertThat(maps()).doesNotContain(segment.name());
    }

    private static String maps() throws IOException {
        return Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1);
    }

    @Test
    void onlyRegularFilesOfASizeThatCanBeMappedAreOpened() throws IOException {
        Path empty = Files.createFile(shared());
        Path huge = Files.createFile(shared());
        Path most = Files.createFile(shared());
        Path link = Files.createSymbolicLink(shared(), Path.of("/dev/shm", clients.name()));
        Path folder = Files.createDirectory(shared());
        try {
            size(huge, 1L << 31); // with holes: takes no memory
            size(most, Integer.MAX_VALUE);
            for (Path refused : List.of(empty, huge, link, folder)) {
                assertThat(SharedSegment.open(refused.getFileName().toString())).isEmpty();
            }
            SharedSegment largest =
                    SharedSegment.open(most.getFileName().toString()).orElseThrow();
            assertThat(largest.bytes()).isEqualTo(Integer.MAX_VALUE);
            largest.discard();
        } finally {
            for (Path made : List.of(empty, huge, most, link, folder)) {
                Files.deleteIfExists(made);
            }
        }
    }

    // ten minutes: an hour's is nobody's, a minute's may be on its way to a worker, and of others' names nothing is
    // known
    @Test
    void aNameThatAClientLeftBehindGoesWithTheNextSegment() throws IOException {
        Path old = Files.createFile(shared());
        Path young = Files.createFile(shared());
        Path other = Files.createFile(Path.of("/dev/shm", "praline-mine"));
        try {
            FileTime anHourAgo = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
            Files.setLastModifiedTime(old, anHourAgo);
            Files.setLastModifiedTime(other, anHourAgo);
            Files.setLastModifiedTime(young, FileTime.from(Instant.now().minus(Duration.ofMinutes(1))));
            SharedSegment.create(1).orElseThrow().discard();
            assertThat(old).doesNotExist();
            assertThat(young).exists();
            assertThat(other).exists();
        } finally {
            for (Path made : List.of(old, young, other)) {
                Files.deleteIfExists(made);
            }
        }
    }

    private static Path shared() {
        return Path.of("/dev/shm", "praline-" + UUID.randomUUID());
    }

    private static void size(Path file, long bytes) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(bytes);
        }
    }

    /** Only root can give a file away, so elsewhere this is not tried. */
    @Test
    void aFileOfAnotherUserIsNotOpened() throws IOException {
        Path file = Path.of("/dev/shm", clients.name());
        assumeThat(Files.getOwner(file).getName()).isEqualTo("root");
        Files.setOwner(
                file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        assertThat(SharedSegment.open(clients.name())).isEmpty();
    }
}
