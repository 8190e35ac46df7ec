package io.praline.worker.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;

class EntryReaderTest {
    /** Longer than what is read at a time. */
    private static final int LONG = 700_001;

    private static final int[] LENGTHS = {16, LONG, 9, 0, LONG, 20_000};

    /** Where the frame of the first element begins, behind the first record. */
    private static final int FIRST_AT = 52;

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

    private static byte[] taken(EntryReader reader, int length) throws IOException {
        reader.next(length);
        ByteBuffer bytes = ByteBuffer.allocate(length);
        reader.take(bytes);
        reader.end();
        return bytes.array();
    }

    @Test
    void givesEachElementAsItWasWritten() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            for (byte[] element : elements) {
                assertThat(taken(reader, element.length)).isEqualTo(element);
            }
        }
    }

    @Test
    void partsOfAnElementArePassedOver() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            reader.next(16);
            reader.pass(8);
            assertThat(reader.takeLong())
                    .isEqualTo(ByteBuffer.wrap(elements[0])
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong(8));
            reader.end();
            reader.next(LONG);
            reader.pass(LONG);
            reader.end();
            assertThat(taken(reader, 9)).isEqualTo(elements[2]);
        }
    }

    @Test
    void whatIsNotTakenToItsEndIsNotWhole() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            reader.next(16);
            reader.pass(8);
            assertThatThrownBy(reader::end).isInstanceOf(BrokenEntry.class);
        }
        try (EntryReader reader = new EntryReader(file)) {
            reader.next(16);
            assertThatThrownBy(() -> reader.pass(16 + 32 + 1)).isInstanceOf(BrokenEntry.class);
        }
    }

    @Test
    void anElementOfAnotherSizeIsNoticed() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            assertThatThrownBy(() -> reader.next(16 + 64))
                    .isInstanceOf(BrokenEntry.class)
                    .hasMessageContaining("another size");
        }
        // up to the same multiple: the zeroes tell
        try (EntryReader reader = new EntryReader(file)) {
            reader.next(8);
            reader.pass(8);
            assertThatThrownBy(reader::end).isInstanceOf(BrokenEntry.class);
        }
    }

    // TFRecord's frame: length, 8 bytes, its checksum, 4, bytes, their checksum, 4
    @Test
    void theBytesOfEachElementBeginAtAMultipleOf64() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int at = FIRST_AT;
        for (byte[] element : elements) {
            int begin = at + 12;
            assertThat(begin % 64).isZero();
            assertThat(bytes.slice(begin, element.length)).isEqualTo(ByteBuffer.wrap(element));
            at = begin + Math.toIntExact(bytes.getLong(at)) + 4;
        }
        assertThat(EntryFile.verified(file).elements()).isEqualTo(elements.length);
    }

    private Path changed(String name, int at, byte by) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= by;
        return Files.write(folder.resolve(name), bytes);
    }

    @Test
    void anotherByteIsNoticed() throws IOException {
        // of the first element: its length, the checksum of that, a byte of it, a zero behind it, and its own checksum
        for (int at : new int[] {0, 9, 20, 12 + 16, 12 + 47, 12 + 48}) {
            Path broken = changed("broken-" + at, FIRST_AT + at, (byte) 0x20);
            try (EntryReader reader = new EntryReader(broken)) {
                assertThatThrownBy(() -> taken(reader, 16))
                        .as("byte %d", at)
                        .isInstanceOf(BrokenEntry.class)
                        .hasMessageContaining("broken-" + at);
            }
            assertThatThrownBy(() -> EntryFile.verified(broken)).isInstanceOf(BrokenEntry.class);
        }
    }

    @Test
    void whatIsNotZeroBehindAnElementIsNoticedWhereItsChecksumIsRight() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int begin = FIRST_AT + 12;
        bytes[begin + 47] = 1; // 16 bytes and 32 zeroes: the last of these
        ByteBuffer whole = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        whole.putInt(begin + 48, EntryFile.masked(whole, begin, 48));
        Path broken = Files.write(folder.resolve("broken"), bytes);
        try (EntryReader reader = new EntryReader(broken)) {
            assertThatThrownBy(() -> taken(reader, 16)).isInstanceOf(BrokenEntry.class);
        }
    }

    @Test
    void aByteOfTheFirstRecordIsNoticedBeforeAnyElement() throws IOException {
        for (int at = 0; at < FIRST_AT; at++) {
            Path broken = changed("first-" + at, at, (byte) 0x20);
            assertThatThrownBy(() -> new EntryReader(broken))
                    .as("byte %d", at)
                    .isInstanceOf(BrokenEntry.class)
                    .hasMessageContaining("first-" + at);
        }
    }

    /** An entry whose first and last record say this format, whatever their checksums were. */
    private Path ofFormat(int format) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(12 + 8, format).putInt(12 + 36, EntryFile.masked(bytes, 12, 36));
        int last = Math.toIntExact(bytes.getLong(bytes.limit() - 16));
        bytes.putInt(last + 12 + 8, format);
        int length = Math.toIntExact(bytes.getLong(last));
        bytes.putInt(last + 12 + length, EntryFile.masked(bytes, last + 12, length));
        return Files.write(folder.resolve("format-" + format), bytes.array());
    }

    @Test
    void aNewerAndAnOlderFormatAreRefusedByName() throws IOException {
        for (int format : new int[] {1, 3}) {
            Path other = ofFormat(format);
            assertThatThrownBy(() -> EntryFile.verified(other))
                    .isInstanceOf(BrokenEntry.class)
                    .hasMessageEndingWith("is of format " + format + ", known here is 2");
            assertThatThrownBy(() -> new EntryReader(other))
                    .isInstanceOf(BrokenEntry.class)
                    .hasMessageEndingWith("is of format " + format + ", known here is 2");
        }
    }

    // as it was: elements from the beginning, as long as they are, "dropped" of 8 bytes behind them
    @Test
    void anEntryAsTheFormatBeforeHadItIsRefusedByName() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
        framed(bytes, elements[0]);
        int last = bytes.position();
        ByteBuffer crc = bytes.duplicate().flip();
        CRC32C checksum = new CRC32C();
        checksum.update(crc);
        ByteBuffer dropped = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        new RoaringBitmap().serialize(dropped);
        ByteBuffer trailer = ByteBuffer.allocate(36 + dropped.position()).order(ByteOrder.LITTLE_ENDIAN);
        trailer.putLong(EntryFile.MAGIC).putInt(1).putLong(1).putLong(1);
        trailer.putInt((int) checksum.getValue()).putInt(dropped.position()).put(dropped.flip());
        framed(bytes, trailer.array());
        bytes.putLong(last).putLong(EntryFile.MAGIC).flip();
        byte[] whole = new byte[bytes.remaining()];
        bytes.get(whole);
        Path older = Files.write(folder.resolve("older"), whole);
        assertThatThrownBy(() -> EntryFile.verified(older))
                .isInstanceOf(BrokenEntry.class)
                .hasMessageEndingWith("older is of format 1, known here is 2");
        assertThatThrownBy(() -> new EntryReader(older)).isInstanceOf(BrokenEntry.class);
    }

    private static void framed(ByteBuffer into, byte[] record) {
        int at = into.position();
        into.putLong(record.length).putInt(EntryFile.masked(into, at, 8)).put(record);
        into.putInt(EntryFile.masked(into, at + 12, record.length));
    }

    @Test
    void aFileThatWasCutIsNoticed() throws IOException {
        // in the first record, behind it, in the element, in the zeroes behind it, in its checksum
        for (int length : new int[] {0, 11, 40, FIRST_AT, FIRST_AT + 20, FIRST_AT + 12 + 30, FIRST_AT + 12 + 50}) {
            Path cut = Files.write(folder.resolve("cut-" + length), Arrays.copyOf(Files.readAllBytes(file), length));
            assertThatThrownBy(() -> {
                        try (EntryReader reader = new EntryReader(cut)) {
                            taken(reader, 16);
                        }
                    })
                    .as("%d bytes", length)
                    .isInstanceOf(BrokenEntry.class)
                    .hasMessageContaining("truncated");
            assertThatThrownBy(() -> EntryFile.verified(cut)).isInstanceOf(BrokenEntry.class);
        }
    }

    @Test
    void aFileThatIsCutWhileItIsReadIsNoticed() throws IOException {
        try (EntryReader reader = new EntryReader(file)) {
            taken(reader, 16);
            Files.write(file, new byte[40], StandardOpenOption.TRUNCATE_EXISTING);
            assertThatThrownBy(() -> taken(reader, LONG))
                    .isInstanceOf(BrokenEntry.class)
                    .hasMessageContaining("truncated");
        }
    }
}
