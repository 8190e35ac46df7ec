package io.praline.worker.cache;

/**
 * All entries of one prefix of a tenant.
 *
 * @param prefix SHA-256, in hex
 */
public record EntryGroup(String tenant, String prefix) implements Comparable<EntryGroup> {
    public EntryGroup {
        if (!prefix.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("prefix must be a SHA-256 in hex, is " + prefix);
        }
    }

    @Override
    public int compareTo(EntryGroup other) {
        int byTenant = tenant.compareTo(other.tenant);
        return byTenant != 0 ? byTenant : prefix.compareTo(other.prefix);
    }
}
