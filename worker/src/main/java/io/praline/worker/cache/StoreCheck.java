package io.praline.worker.cache;

import java.io.IOException;
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
        long entries = 0;
        long bytes = 0;
        List<String> broken = new ArrayList<>();
        for (Map.Entry<EntryGroup, List<EntryPlace.Stored>> group :
                folder.entries().entrySet()) {
            for (EntryPlace.Stored each : group.getValue()) {
                try {
                    EntryFile.verified(folder.file(each.key()));
                    entries++;
                    bytes += each.bytes();
                } catch (IOException wrong) {
                    broken.add(String.valueOf(wrong.getMessage()));
                }
            }
        }
        return new StoreCheck(entries, bytes, broken);
    }
}
