package io.praline.dispatcher.ledger;

/**
 * Whose entries, and of what.
 *
 * @param tenant whose they are
 * @param prefix hex digest of what is executed up to their cache point
 */
public record GroupName(String tenant, String prefix) implements Comparable<GroupName> {

    /** As {@link #toString} writes it: a tenant's name may hold any sign, a digest none but its own. */
    static GroupName of(String text) {
        int cut = text.lastIndexOf('/');
        return new GroupName(text.substring(0, cut), text.substring(cut + 1));
    }

    @Override
    public int compareTo(GroupName other) {
        int tenants = tenant.compareTo(other.tenant);
        return tenants != 0 ? tenants : prefix.compareTo(other.prefix);
    }

    @Override
    public String toString() {
        return tenant + "/" + prefix;
    }
}
