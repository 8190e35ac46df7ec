package io.praline.worker.storage.stage;

import io.praline.worker.storage.FileVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where objects may be cut that were read before, in a folder that the workers of a host share:
 *
 * <pre>
 *   FOLDER/KEY    long magic, int format, address and version as UTF, int cuts, for each: long until, long records;
 *                 int CRC32C of all before it
 * </pre>
 *
 * KEY tells the address and the version, so that of another content there is none. One that is broken, of another format or of
 * something else is as none, and goes. Safe for several threads, and for several processes.
 */
public final class ObjectIndexes {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectIndexes.class);

    private static final long MAGIC = 0x31_58_44_49_4c_52_50L; // PRLIDX1
    private static final int FORMAT = 1;
    private static final String PART = ".part";

    /** Of some kB each; the oldest go. */
    static final int MOST = 10_000;

    private final Optional<Path> folder;

    private ObjectIndexes(Optional<Path> folder) {
        this.folder = folder;
    }

    /** None, of nothing. */
    public static ObjectIndexes none() {
        return new ObjectIndexes(Optional.empty());
    }

    /** Those in a folder, which is made where it is not there; none where it cannot be used. */
    static ObjectIndexes in(Path folder) {
        try {
            Files.createDirectories(folder);
            ObjectIndexes indexes = new ObjectIndexes(Optional.of(folder));
            indexes.tidy(folder);
            return indexes;
        } catch (IOException unusable) {
            LOG.warn("it is not remembered where objects may be cut: {}", unusable.getMessage());
            return none();
        }
    }

    private void tidy(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.list(folder)) {
            all = files.sorted(Comparator.comparing(ObjectIndexes::modified)).toList();
        }
        for (Path oldest : all.subList(0, Math.max(0, all.size() - MOST))) {
            Files.deleteIfExists(oldest);
        }
    }

    private static long modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException gone) {
            return 0;
        }
    }

    /** Where a content of an object may be cut; empty where nobody looked yet. */
    public Optional<RecordIndex> of(String address, FileVersion version) {
        if (folder.isEmpty() || !version.certain()) {
            return Optional.empty();
        }
        Path file = file(folder.get(), address, version);
        try {
            return Optional.of(read(Files.readAllBytes(file), address, version));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException broken) {
            LOG.warn("what is known of {} is no good, and is taken away: {}", address, broken.getMessage());
            delete(file);
            return Optional.empty();
        }
    }

    /** Whether it would be of use to know where a content may be cut, and nobody looked yet. */
    public boolean lack(String address, FileVersion version) {
        return folder.isPresent() && version.certain() && !Files.exists(file(folder.get(), address, version));
    }

    /** From now on it is known where this content may be cut; nothing where it cannot be written down. */
    public void keep(String address, FileVersion version, RecordIndex index) {
        if (!lack(address, version) || !index.covers(version.bytes())) {
            return;
        }
        Path file = file(folder.orElseThrow(), address, version);
        Path part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + PART);
        try {
            Files.write(part, written(address, version, index));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException unwritten) {
            LOG.warn("it is not remembered where {} may be cut: {}", address, unwritten.getMessage());
            delete(part);
        }
    }

    private static Path file(Path folder, String address, FileVersion version) {
        return folder.resolve(Staged.key(address, version));
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            LOG.debug("{} stays: {}", file, stays.getMessage());
        }
    }

    private static byte[] written(String address, FileVersion version, RecordIndex index) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(MAGIC);
        out.writeInt(FORMAT);
        out.writeUTF(address);
        out.writeUTF(version.text());
        out.writeInt(index.cuts().size());
        for (RecordIndex.Cut cut : index.cuts()) {
            out.writeLong(cut.until());
            out.writeLong(cut.records());
        }
        out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    private static RecordIndex read(byte[] bytes, String address, FileVersion version) throws IOException {
        int content = bytes.length - Integer.BYTES;
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        boolean whole = content > 0
                && in.readLong() == MAGIC
                && in.readInt() == FORMAT
                && new DataInputStream(new ByteArrayInputStream(bytes, content, Integer.BYTES)).readInt()
                        == checksum(bytes, content);
        if (!whole) {
            throw new IOException("it is broken, or of another format");
        }
        if (!in.readUTF().equals(address) || !in.readUTF().equals(version.text())) {
            throw new IOException("it is of something else");
        }
        List<RecordIndex.Cut> cuts = new ArrayList<>();
        int count = in.readInt();
        for (long from = 0; cuts.size() < count; ) {
            RecordIndex.Cut cut = new RecordIndex.Cut(from, in.readLong(), in.readLong());
            cuts.add(cut);
            from = cut.until();
        }
        RecordIndex index = new RecordIndex(cuts);
        if (!index.covers(version.bytes())) {
            throw new IOException("it does not go to the end");
        }
        return index;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
