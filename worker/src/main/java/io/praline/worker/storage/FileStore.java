package io.praline.worker.storage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;

/** Where files lie that have addresses. Safe for several threads; all of it throws {@link StoreFailed}, and waits. */
public interface FileStore extends AutoCloseable {
    /**
     * Bytes on their way.
     *
     * @param from which byte of the file is the first
     * @param whole whether the store gives all of it, whatever was asked for
     */
    record Content(InputStream in, long from, boolean whole) implements Closeable {
        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** What matches a pattern, in the order of names, {@link io.praline.worker.storage.glob.NameOrder}; a plain address must be there. */
    Iterator<StoredFile> find(String pattern);

    /** What its content is. */
    StoredFile look(String address);

    /**
     * A range of a file's bytes, asked for once.
     *
     * @param until exclusive
     * @throws StoreFailed as {@link StoreFailed.Kind#CHANGED} if it has another content
     */
    Content open(String address, FileVersion version, long from, long until) throws IOException;

    @Override
    void close();
}
