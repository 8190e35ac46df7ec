package io.praline.worker.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;

class EntryReaderTest {
    /** Longer than what is read at a time. */
    private static final int LONG = 700_001;

    private static final int[] LENGTHS = {16, LONG, 9, 0, LONG};

    @TempDir
    private Path folder;

    private Path file;
    private byte[][] elements;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("entry");
        elements = new byte[LENGTHS.length][];
        Random random = new Random(3);
        try (EntryWriter writer = new EntryWriter(file)) {
            for (int i = 0; i < LENGTHS.length; i++) {
                elements[i] = new byte[LENGTHS[i]];
                random.nextBytes(elements[i]);
                writer.add(record(elements[i]));
            }
            writer.end(new RoaringBitmap());
        }
    }

    private static EntryRecord record(byte[] bytes) {
        return new EntryRecord() {
            @Override
            public int bytes() {
                return bytes.length;
            }

            @Override
            public void put(ByteBuffer into) {
                into.put(bytes);
            }
        };
    }

    private static byte[] taken(EntryReader reader) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(reader.next()));
        reader.take(bytes);
        reader.end();
        return bytes.array();
    }

    @Test
    void givesEachElementAsItWasWritten() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            for (byte[] element : elements) {
                assertThat(taken(reader)).isEqualTo(element);
            }
        }
    }

    @Test
    void partsOfAnElementArePassedOver() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            reader.next();
            reader.pass(8);
            assertThat(reader.takeLong())
                    .isEqualTo(ByteBuffer.wrap(elements[0])
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong(8));
            reader.end();
            reader.next();
            reader.pass(LONG);
            reader.end();
            assertThat(taken(reader)).isEqualTo(elements[2]);
        }
    }

    @Test
    void whatIsNotTakenToItsEndIsNotWhole() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            reader.next();
            reader.pass(8);
            assertThatThrownBy(reader::end).isInstanceOf(BrokenEntry.class);
        }
        try (EntryReader reader = new EntryReader(file)) {
            reader.next();
            assertThatThrownBy(() -> reader.pass(17)).isInstanceOf(BrokenEntry.class);
        }
    }

    @Test
    void anotherByteIsNoticed() throws IOException {
        // of the first element: its length, the checksum of that, a byte of it, and its own checksum
        for (int at : new int[] {0, 9, 20, 29}) {
            byte[] bytes = Files.readAllBytes(file);
            bytes[at] ^= 0x20;
            Path broken = folder.resolve("broken-" + at);
            Files.write(broken, bytes);
            try (EntryReader reader = new EntryReader(broken)) {
                assertThatThrownBy(() -> taken(reader))
                        .as("byte %d", at)
                        .isInstanceOf(BrokenEntry.class)
                        .hasMessageContaining("broken-" + at);
            }
        }
    }

    @Test
    void aFileThatWasCutIsNoticed() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            taken(reader);
            Files.write(file, new byte[40], StandardOpenOption.TRUNCATE_EXISTING);
            assertThatThrownBy(() -> taken(reader))
                    .isInstanceOf(BrokenEntry.class)
                    .hasMessageContaining("truncated");
        }
    }
}
