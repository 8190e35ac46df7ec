package io.praline.worker.planning;

import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.StoredFile;
import io.praline.worker.storage.stage.ObjectIndexes;
import io.praline.worker.storage.stage.RecordIndex;
import io.praline.worker.storage.stage.RecordIndex.Cut;
import io.praline.worker.storage.stage.StagedName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Cuts what a source reads into splits, one after the other; what it holds at a time does not grow with their number.
 * Not safe for several threads.
 */
public final class SplitPlanner {
    /** Files up to this size stay whole, and ranges of larger ones come near it. In bytes. */
    public static final long RANGE_BYTES = 64L << 20;

    /** At most so many names in a split of names. */
    public static final int NAMES_PER_SPLIT = 64;

    /** A page has 1,000 splits and must fit a record of the log, which holds 2 MiB. */
    private static final int NAME_BYTES_PER_SPLIT = 1_200;

    /** A source whose elements can be counted is cut into about so many splits. */
    static final int AIM = 256;

    /** A range of integers or positions holds at least so many, where there are as many: what is made of one may be dear. */
    static final long LEAST_RANGE = 16;

    /** Tickets and bitmaps hold 32 bits of records. */
    static final long LARGEST_RANGE = 1L << 30;

    private final String worker;
    private final long rangeBytes;
    private final ObjectIndexes indexes;
    private final Consumer<Split> out;
    private long bytes;
    private long uncertain;
    private final List<String> missing = new ArrayList<>();

    /**
     * @param worker this worker's id, for messages
     * @param rangeBytes files larger than this are cut into ranges of about this size, where that is allowed
     * @param indexes where objects may be cut
     * @param out gets every split in order
     */
    public SplitPlanner(String worker, long rangeBytes, ObjectIndexes indexes, Consumer<Split> out) {
        if (rangeBytes < 1) {
            throw new IllegalArgumentException("rangeBytes must be at least 1, is " + rangeBytes);
        }
        this.worker = worker;
        this.rangeBytes = rangeBytes;
        this.indexes = indexes;
        this.out = out;
    }

    /** Bytes in the splits so far. */
    public long bytes() {
        return bytes;
    }

    /** Files whose content is told apart by less than a version or a strong ETag. */
    public long uncertain() {
        return uncertain;
    }

    /** Names of which no file is there, and that are handed on all the same. */
    public List<String> missing() {
        return List.copyOf(missing);
    }

    /**
     * Each file a split, or several where it is large and it is known where records begin: of a file here by hopping from one to
     * the next, of an object where they are of one length, or where somebody looked when it was read before.
     *
     * @param rangeable whether the pipeline gives the same elements when it reads a file in ranges
     * @param objects whether it does so of objects, of which it sees no other bytes then
     */
    public void files(int source, Iterator<StoredFile> files, RecordFormat format, boolean rangeable, boolean objects) {
        boolean cuttable = rangeable && format.compression() == Compression.NONE;
        while (files.hasNext()) {
            StoredFile file = files.next();
            long size = sizeOf(file);
            List<Cut> cuts =
                    cuttable && size > rangeBytes && (objects || file.version().isEmpty())
                            ? cuts(file, size, format)
                            : List.of();
            cuts.forEach(cut -> emit(split(SplitKind.RECORD_RANGE, source)
                    .setPaths(List.of(file.name()))
                    .setVersions(versions(List.of(file)))
                    .setFrom(cut.from())
                    .setUntil(cut.until())
                    .setRecords(cut.records())
                    .setBytes(cut.until() - cut.from())));
            if (cuts.isEmpty()) {
                emit(split(SplitKind.FILE, source)
                        .setPaths(List.of(file.name()))
                        .setVersions(versions(List.of(file)))
                        .setBytes(size));
            }
        }
    }

    /** None where nobody knows, or where records cannot be told apart: reading it will say why. */
    private List<Cut> cuts(StoredFile file, long size, RecordFormat format) {
        if (file.version().isEmpty()) {
            return format instanceof RecordFormat.TfRecords ? hopped(file.name(), size) : List.of();
        }
        if (!FileStores.givesRanges(file.name())) {
            return List.of();
        }
        if (format instanceof RecordFormat.FixedLength fixed) {
            return RecordCuts.ofFixedLength(fixed, size, rangeBytes);
        }
        return format instanceof RecordFormat.TfRecords
                ? indexes.of(file.name(), file.version().get())
                        .map(RecordIndex::cuts)
                        .orElse(List.of())
                : List.of();
    }

    private List<Cut> hopped(String path, long size) {
        try {
            return RecordCuts.ofTfRecords(DataFile.of(path), size, rangeBytes, () -> true)
                    .cuts();
        } catch (CorruptFile e) {
            return List.of();
        } catch (IOException e) {
            throw unseen(path, e);
        }
    }

    /**
     * Runs of names: up to 64 a split, fewer where there are few of them, so that every worker gets some, and fewer where
     * they are long, so that a page of splits stays below the size of a record.
     *
     * @param leftOut whether the pipeline leaves out what is made of a file that is not there
     */
    public void names(int source, Iterator<StoredFile> files, boolean leftOut) {
        List<StoredFile> few = new ArrayList<>();
        while (files.hasNext() && few.size() < AIM * NAMES_PER_SPLIT) {
            few.add(files.next());
        }
        int run = Math.min(NAMES_PER_SPLIT, Math.max(1, (few.size() + AIM - 1) / AIM));
        List<StoredFile> next = new ArrayList<>();
        int nextBytes = 0;
        Iterator<StoredFile> first = few.iterator();
        while (first.hasNext() || files.hasNext()) {
            StoredFile file = first.hasNext() ? first.next() : files.next();
            int length = file.name().length()
                    + file.version().map(version -> version.text().length()).orElse(0);
            if (next.size() == run || (!next.isEmpty() && nextBytes + length > NAME_BYTES_PER_SPLIT)) {
                emitNames(source, next, leftOut);
                next.clear();
                nextBytes = 0;
            }
            next.add(file);
            nextBytes += length;
        }
        if (!next.isEmpty()) {
            emitNames(source, next, leftOut);
        }
    }

    /**
     * Integers from {@code from} on, {@code until} exclusive.
     *
     * @param opened whether files are opened by each
     */
    public void integers(int source, long from, long until, long step, boolean opened) {
        long count = count(from, until, step);
        long size = rangeSize(count, opened);
        for (long done = 0; done < count; done += size) {
            long first = from + done * step;
            long take = Math.min(size, count - done);
            emit(split(SplitKind.INTEGERS, source)
                    .setFrom(first)
                    .setUntil(done + take == count ? until : first + take * step)
                    .setStep(step)
                    .setRecords(take));
        }
    }

    /**
     * Positions 0 to {@code count}, exclusive, in a constant of the graph.
     *
     * @param opened whether files are opened by what stands at each
     */
    public void indexes(int source, long count, boolean opened) {
        long size = rangeSize(count, opened);
        for (long first = 0; first < count; first += size) {
            long until = Math.min(count, first + size);
            emit(split(SplitKind.INDEXES, source).setFrom(first).setUntil(until).setRecords(until - first));
        }
    }

    /** The whole graph as one split. */
    public void whole() {
        emit(split(SplitKind.WHOLE, 0));
    }

    /** How many integers a range has. */
    public static long count(long from, long until, long step) {
        if (step == 0) {
            throw new IllegalArgumentException("step must not be 0");
        }
        if (step > 0 ? from >= until : from <= until) {
            return 0;
        }
        long distance = Math.abs(Math.subtractExact(until, from));
        long stride = Math.abs(step);
        return (distance - 1) / stride + 1;
    }

    private static long rangeSize(long count, boolean opened) {
        long most = opened ? (long) AIM * NAMES_PER_SPLIT : AIM;
        return Math.min(LARGEST_RANGE, Math.max(opened ? 1 : LEAST_RANGE, (count + most - 1) / most));
    }

    private void emitNames(int source, List<StoredFile> files, boolean leftOut) {
        long total = 0;
        for (StoredFile file : files) {
            boolean here = file.version().isEmpty();
            if (leftOut && here && !AskedFiles.asking(file.name(), () -> Files.exists(Path.of(file.name())))) {
                missing.add(file.name());
                continue;
            }
            // a pipeline may be given folders, and list them itself
            boolean folder = here && AskedFiles.asking(file.name(), () -> Files.isDirectory(Path.of(file.name())));
            total += folder ? 0 : sizeOf(file);
        }
        emit(split(SplitKind.NAMES, source)
                .setPaths(files.stream().map(StoredFile::name).toList())
                .setVersions(versions(files))
                .setRecords((long) files.size())
                .setBytes(total));
    }

    /** None where all are files of this file system. */
    private static List<String> versions(List<StoredFile> files) {
        return files.stream().allMatch(file -> file.version().isEmpty())
                ? List.of()
                : files.stream()
                        .map(file -> file.version().map(FileVersion::text).orElse(""))
                        .toList();
    }

    private long sizeOf(StoredFile file) {
        if (file.version().isEmpty()) {
            return AskedFiles.asking(file.name(), () -> sizeOf(file.name()));
        }
        StagedName.require(file.name());
        uncertain += file.version().get().certain() ? 0 : 1;
        return file.version().get().bytes();
    }

    private long sizeOf(String path) {
        Path file = Path.of(path);
        try {
            if (Files.isDirectory(file)) {
                throw new UnseenPath("worker " + worker + " sees a directory at " + path
                        + "; name the files in it, such as " + path + "/*");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                // whoever opens a pipe may wait for ever, and take its worker along
                throw new UnseenPath("worker " + worker + " sees a pipe or a device at " + path
                        + ", which cannot be read again; name a file");
            }
            if (!Files.isReadable(file) && Files.exists(file)) {
                throw new UnseenPath("worker " + worker + " may not read " + path + "; check its permissions there");
            }
            return Files.size(file);
        } catch (IOException e) {
            throw unseen(path, e);
        }
    }

    private UnseenPath unseen(String path, IOException e) {
        return e instanceof NoSuchFileException
                ? new UnseenPath("worker " + worker + " sees no file " + path
                        + "; check that the path is right and mounted there")
                : new UnseenPath(
                        "worker " + worker + " cannot read " + path + ": " + new UncheckedIOException(e).getMessage());
    }

    private static Split.Builder split(SplitKind kind, int source) {
        return Split.newBuilder()
                .setKind(kind)
                .setSource(source)
                .setPaths(List.of())
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(0);
    }

    private void emit(Split.Builder split) {
        emit(split.build());
    }

    private void emit(Split split) {
        bytes += split.getBytes();
        out.accept(split);
    }
}
