package io.praline.worker.planning;

import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.StoredFile;
import io.praline.worker.storage.patience.Asking;
import java.util.Iterator;
import java.util.function.Supplier;

/**
 * Files that are found as they are asked for. Says what is listed meanwhile, where that lies in this host's file systems: stores
 * have a patience of their own.
 */
final class AskedFiles implements Iterator<StoredFile> {
    private final Iterator<StoredFile> files;
    private final String pattern;

    /** @param pattern that they match */
    AskedFiles(Iterator<StoredFile> files, String pattern) {
        this.files = files;
        this.pattern = pattern;
    }

    @Override
    public boolean hasNext() {
        return asking(pattern, files::hasNext);
    }

    @Override
    public StoredFile next() {
        return asking(pattern, files::next);
    }

    /** Does something for which this host's file systems must answer about the name. */
    static <R> R asking(String name, Supplier<R> question) {
        if (FileStores.isRemote(name)) {
            return question.get();
        }
        Asking.about(name);
        try {
            return question.get();
        } finally {
            Asking.nothing();
        }
    }
}
