package io.praline.worker.storage;

import io.praline.worker.storage.glob.FileGlob;
import io.praline.worker.storage.glob.NameOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** Where names of files lead: this worker's own file system, S3, web servers. Safe for several threads. */
public final class FileStores implements AutoCloseable {
    private final FileStore s3;
    private final FileStore web;

    public FileStores(S3Settings settings) {
        this(new S3Files(settings, Retries.planning()), new WebFiles(Retries.planning()));
    }

    public FileStores(FileStore s3, FileStore web) {
        this.s3 = s3;
        this.web = web;
    }

    /** Whether a name is the address of an object in a store, and no path. */
    public static boolean isRemote(String name) {
        return name.startsWith(S3Files.SCHEME) || isWeb(name);
    }

    /** Whether any bytes of an object can be had without those before them: not every web server gives ranges. */
    public static boolean givesRanges(String address) {
        return address.startsWith(S3Files.SCHEME);
    }

    private static boolean isWeb(String name) {
        return name.startsWith("http://") || name.startsWith("https://");
    }

    private FileStore of(String address) {
        return isWeb(address) ? web : s3;
    }

    /**
     * Files that match any of the patterns, each once, in the order of their names ({@link NameOrder}). A pattern that is to the letter the path of
     * a file is this file alone: a program that lists its files gives paths, which may have brackets.
     *
     * @param globs paths or addresses; a relative path begins at {@code base}
     * @throws StoreFailed where a store does not tell
     */
    public Iterator<StoredFile> find(List<String> globs, Path base) {
        List<Iterator<StoredFile>> sorted = new ArrayList<>();
        for (String glob : globs) {
            if (!isRemote(glob) && FileGlob.isFile(glob, base)) {
                sorted.add(List.of(look(glob, base)).iterator());
                continue;
            }
            for (String alternative : FileGlob.alternatives(glob)) {
                sorted.add(
                        isRemote(alternative)
                                ? of(alternative).find(alternative)
                                : local(FileGlob.walk(alternative, base)));
            }
        }
        return merged(sorted);
    }

    /** What several gave, each once, in the order of names; each is in that order. */
    public static Iterator<StoredFile> merged(List<Iterator<StoredFile>> sorted) {
        return sorted.size() == 1 ? sorted.get(0) : new Merged(sorted);
    }

    private static Iterator<StoredFile> local(Iterator<String> paths) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return paths.hasNext();
            }

            @Override
            public StoredFile next() {
                return StoredFile.local(paths.next());
            }
        };
    }

    /**
     * The file of a name that is no pattern.
     *
     * @throws StoreFailed where a store does not tell, or it is not there; a path is not looked at
     */
    public StoredFile look(String name, Path base) {
        return isRemote(name) ? of(name).look(name) : StoredFile.local(FileGlob.absolute(name, base));
    }

    /** Where a name leads, in words for messages. */
    public static String absolute(String name, Path base) {
        return isRemote(name) ? name : FileGlob.absolute(name, base);
    }

    public FileStore.Content open(String address, FileVersion version, long from, long until) throws IOException {
        return of(address).open(address, version, from, until);
    }

    public FileVersion version(String address) {
        return of(address).look(address).version().orElseThrow();
    }

    @Override
    public void close() {
        s3.close();
        web.close();
    }

    /** Several sorted sequences as one, equal neighbours once. */
    private static final class Merged implements Iterator<StoredFile> {
        private record Head(StoredFile file, Iterator<StoredFile> rest) {}

        private final PriorityQueue<Head> heads =
                new PriorityQueue<>(Comparator.comparing(head -> head.file().name(), NameOrder.BY_CODE_POINT));

        Merged(List<Iterator<StoredFile>> sorted) {
            sorted.forEach(this::push);
        }

        private void push(Iterator<StoredFile> rest) {
            if (rest.hasNext()) {
                heads.add(new Head(rest.next(), rest));
            }
        }

        @Override
        public boolean hasNext() {
            return !heads.isEmpty();
        }

        @Override
        public StoredFile next() {
            if (heads.isEmpty()) {
                throw new NoSuchElementException();
            }
            StoredFile file = heads.peek().file();
            while (!heads.isEmpty() && heads.peek().file().name().equals(file.name())) {
                push(heads.poll().rest());
            }
            return file;
        }
    }
}
