package io.praline.worker.cache;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What entries are called in a bucket or a folder; see the package's description. */
final class EntryNames {
    /** Says which store it is. */
    static final String STORE = "store";

    static final String ENTRIES = "entries/";

    /** Of a bucket, what says who makes an entry. */
    static final String MAKING = "making/";

    /** By group; of a group those first that are to go first. */
    static final Comparator<EntryKey> ORDER =
            Comparator.comparing(EntryKey::group).thenComparing(EntryKey::split, Comparator.reverseOrder());

    private static final String FORMAT = "praline cache 1 ";
    private static final Pattern NAME = Pattern.compile("entries/([^/]*(?:/~[^/]*)*)/([0-9a-f]{64})/([0-9a-f]{64})");

    /** File systems take no longer names: those of some tenants are, once they are encoded. */
    private static final int MOST_OF_A_FOLDER = 255;

    /** Before the rest of a tenant's name that goes on in a folder below; never part of one that is encoded. */
    private static final String REST = "~";

    private static final int LETTERS = 15;
    private static final int HEX = 16;

    private EntryNames() {}

    /** What stands in {@link #STORE}. */
    static byte[] identity(String id) {
        return (FORMAT + id + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Which store it is, by what stands in {@link #STORE}; empty where it is none. */
    static String id(String line) {
        return line.startsWith(FORMAT) ? line.substring(FORMAT.length()).strip() : "";
    }

    /** A tenant's name as that of a folder; a long one as that of folders in each other. */
    static String tenant(String tenant) {
        StringBuilder folders = new StringBuilder("t-" + URLEncoder.encode(tenant, StandardCharsets.UTF_8));
        for (int at = MOST_OF_A_FOLDER; at < folders.length(); at += MOST_OF_A_FOLDER + 1) {
            folders.insert(at, "/" + REST);
        }
        return folders.toString();
    }

    /** Whether a folder in that of a tenant is that of another one, whose name is longer. */
    static boolean goesOn(String folder) {
        return folder.startsWith(REST);
    }

    /** Whose folder it is, by the names of all folders of it; empty where it is none's. */
    static Optional<String> tenantOf(String folder) {
        try {
            return folder.startsWith("t-")
                    ? Optional.of(
                            URLDecoder.decode(folder.substring(2).replace("/" + REST, ""), StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    static String folder(EntryGroup group) {
        return ENTRIES + tenant(group.tenant()) + "/" + group.prefix() + "/";
    }

    static String name(EntryKey key) {
        return folder(key.group()) + key.split();
    }

    /** What says in a bucket that somebody makes it. */
    static String mark(EntryKey key) {
        return MAKING + name(key).substring(ENTRIES.length());
    }

    /** Whose name it is; empty where it is no entry's. */
    static Optional<EntryKey> key(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? tenantOf(parts.group(1))
                        .map(tenant -> new EntryKey(new EntryGroup(tenant, parts.group(2)), parts.group(3)))
                : Optional.empty();
    }

    /** One that another key hardly has: both of its parts are digests. */
    static long number(EntryKey key) {
        return last(key.split())
                ^ last(key.group().prefix())
                ^ key.group().tenant().hashCode();
    }

    private static long last(String digest) {
        return Long.parseLong(digest.substring(digest.length() - LETTERS), HEX);
    }
}
