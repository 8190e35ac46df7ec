package io.praline.worker.cache;

import io.praline.worker.storage.S3Settings;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a look at every byte of a store's entries found.
 *
 * @param entries that are whole
 * @param bytes of theirs
 * @param broken what is wrong with each of the others, in a line
 */
public record StoreCheck(long entries, long bytes, List<String> broken) {
    public StoreCheck {
        broken = List.copyOf(broken);
    }

    /** All entries, and one of them to be read. */
    interface Looked {
        Map<EntryGroup, List<EntryPlace.Stored>> entries() throws IOException;

        /**
         * Reads all of it.
         *
         * @return false where somebody took it away meanwhile, as is done where room is needed
         * @throws IOException that says of which entry, if it is not whole
         */
        boolean verify(EntryKey key) throws IOException;
    }

    /**
     * Looks at a folder; changes nothing.
     *
     * @throws IOException if it is no store, or cannot be read
     */
    public static StoreCheck of(Path root) throws IOException {
        StoreFolder folder = new StoreFolder(root, true, "");
        if (folder.id().isEmpty()) {
            throw new IOException("there is no cache in " + root);
        }
        return of(new InFolder(folder));
    }

    /** Those of a folder. */
    record InFolder(StoreFolder folder) implements Looked {
        @Override
        public Map<EntryGroup, List<EntryPlace.Stored>> entries() throws IOException {
            return folder.entries();
        }

        @Override
        public boolean verify(EntryKey key) throws IOException {
            try {
                EntryFile.verified(folder.file(key));
                return true;
            } catch (NoSuchFileException gone) {
                return false;
            }
        }
    }

    /**
     * Looks at what lies below a prefix of a bucket; changes nothing.
     *
     * @param below where one object after the other lies while it is looked at
     * @throws IOException if it is no store, or cannot be read
     */
    public static StoreCheck of(String url, S3Settings settings, Path below) throws IOException {
        try (LookedFar far = LookedFar.open(url, settings, below)) {
            return of(far);
        }
    }

    static StoreCheck of(Looked at) throws IOException {
        long entries = 0;
        long bytes = 0;
        List<String> broken = new ArrayList<>();
        for (List<EntryPlace.Stored> group : at.entries().values()) {
            for (EntryPlace.Stored each : group) {
                try {
                    if (at.verify(each.key())) {
                        entries++;
                        bytes += each.bytes();
                    }
                } catch (PlaceFailed failed) {
                    throw failed;
                } catch (IOException wrong) {
                    broken.add(String.valueOf(wrong.getMessage()));
                }
            }
        }
        return new StoreCheck(entries, bytes, broken);
    }
}
