package io.praline.policy.caching;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many bytes of a store each group of entries may have. Its bytes go where they are expected to save most:
 *
 * <pre>
 *   value of a byte = secondsPerByte x (min(usesPerHour, usesLeft) + {@value #RETURN} x pastUsesPerHour x 2^-(idle / {@value #HALF_LIFE_HOURS} h))
 *                     seconds of workers, in an hour
 *   held bytes      = {@value #HELD} x value       another group must be worth more to push them out
 * </pre>
 *
 * Tenants that want more than there is have as much as each other, max-min. Of a tenant's, pinned groups go first, then bytes
 * by value. Bytes that nobody wants stay as long as there is room, and while storing them costs less than they are worth.
 */
public final class CacheBudget {
    /** Of jobs that have ended, so many are expected to come again. */
    static final double RETURN = 0.25;

    /** After this time half as many are expected. */
    static final double HALF_LIFE_HOURS = 2;

    /** Entries cost their writing, and values are estimates. */
    static final double HELD = 1.25;

    /** Of a store, what may be pushed out for entries that nobody measured. */
    static final double UNKNOWN = 0.1;

    /** How large a group will be is an estimate: the last of its entries are to find room too. */
    static final double ROOM = 1.1;

    /** Workers reserve so many bytes ahead for entries that they are making: 64 MiB. */
    static final long AHEAD = 64L << 20;

    /** In a small store they do with so much of it. */
    static final double AHEAD_SHARE = 0.1;

    /** Before, nobody knows how long an epoch takes. */
    private static final double SHORT_HOURS = 10.0 / 3600;

    private static final double MILLIS_PER_HOUR = 3_600_000;

    private CacheBudget() {}

    /** Bytes of a group that are worth the same. */
    private static final class Stretch {
        private final CacheGroup group;
        private final double worth;
        private final long bytes;
        private long granted;

        private Stretch(CacheGroup group, double worth, long bytes) {
            this.group = group;
            this.worth = worth;
            this.bytes = bytes;
        }

        /** Takes what it may, and gives what is left. */
        private long take(long room) {
            long taken = Math.min(bytes - granted, room);
            granted += taken;
            return room - taken;
        }
    }

    private static final Comparator<CacheGroup> BY_NAME =
            Comparator.comparing(CacheGroup::tenant).thenComparing(CacheGroup::prefix);

    private static final Comparator<Stretch> FIRST = Comparator.comparing((Stretch one) -> !one.group.pinned())
            .thenComparing(
                    Comparator.comparingDouble((Stretch one) -> one.worth).reversed())
            .thenComparing(one -> one.group, BY_NAME);

    /**
     * Divides a store.
     *
     * @param bytes that it may have
     * @param groups in it, and those that would like to be; no two of the same tenant and prefix
     * @return what each may have, by tenant and prefix
     */
    public static List<CacheGrant> divide(long bytes, List<CacheGroup> groups) {
        SortedMap<String, List<Stretch>> wanted = new TreeMap<>();
        List<Stretch> idle = new ArrayList<>();
        for (CacheGroup group : groups.stream().sorted(BY_NAME).toList()) {
            double value = value(group);
            if (costsMore(group, value)) {
                continue;
            }
            boolean serves = value > 0 || group.pinned();
            List<Stretch> its = serves ? wanted.computeIfAbsent(group.tenant(), name -> new ArrayList<>()) : idle;
            its.add(new Stretch(group, HELD * value, group.heldBytes()));
            if (serves) {
                its.add(new Stretch(group, value, Math.max(0, group.wantedBytes() - group.heldBytes())));
            }
        }
        long left = Math.max(0, bytes);
        for (Map.Entry<String, Long> tenant : entitled(left, wanted).entrySet()) {
            long room = tenant.getValue();
            for (Stretch stretch :
                    wanted.get(tenant.getKey()).stream().sorted(FIRST).toList()) {
                room = stretch.take(room);
            }
            left -= tenant.getValue() - room;
        }
        for (Stretch stretch : idle) {
            left = stretch.take(left);
        }
        return grants(groups, wanted, idle);
    }

    /**
     * What a group wants of which nobody knows yet how large it becomes:
     *
     * <pre>
     *   max(bytes - others, {@value #UNKNOWN} x bytes) / groups
     * </pre>
     *
     * so that it takes what is free, and pushes little out of a store that is full.
     *
     * @param bytes of the store
     * @param others bytes that the groups of known size want together
     * @param groups how many there are whose size is not known, at least 1
     */
    public static long unknown(long bytes, long others, int groups) {
        return Math.max(bytes - others, (long) (UNKNOWN * bytes)) / groups;
    }

    /**
     * What a group wants that is being made:
     *
     * <pre>
     *   {@value #ROOM} x size + ahead
     * </pre>
     *
     * @param bytes of the store
     * @param size of all its entries, in bytes
     */
    public static long whole(long bytes, double size) {
        return (long) (ROOM * size + ahead(bytes));
    }

    /**
     * Bytes that workers may have reserved for entries that they are making:
     *
     * <pre>
     *   min({@value #AHEAD}, {@value #AHEAD_SHARE} x bytes)
     * </pre>
     *
     * @param bytes of the store
     */
    public static long ahead(long bytes) {
        return Math.min(AHEAD, (long) (AHEAD_SHARE * bytes));
    }

    /**
     * How often a job reads each byte in an hour. One that is over soon does not read for an hour, and neither does the next of
     * its kind: no more often than in all.
     *
     * @param hours that it worked
     * @param read epochs that it read in them; below 0 where more was given back, by workers that died, than was begun
     * @param left epochs that are to come, which count where nobody knows how long one takes
     * @param all of its epochs
     */
    public static double usesPerHour(double hours, double read, double left, double all) {
        return hours > SHORT_HOURS ? Math.max(0, Math.min(all, read / hours)) : left;
    }

    /** Seconds of workers that a byte is expected to save in an hour. */
    public static double value(CacheGroup group) {
        double idleHours = group.idle().toMillis() / MILLIS_PER_HOUR;
        double again = RETURN * group.pastUsesPerHour() * StrictMath.pow(0.5, idleHours / HALF_LIFE_HOURS);
        return group.secondsPerByte() * (Math.min(group.usesPerHour(), group.usesLeft()) + again);
    }

    /** What no job uses goes when keeping it costs more than it is expected to save. */
    private static boolean costsMore(CacheGroup group, double value) {
        return !group.pinned() && group.usesPerHour() == 0 && value < group.storageSecondsPerByteHour();
    }

    /** Max-min over what tenants want; who wants least goes first. */
    private static SortedMap<String, Long> entitled(long bytes, SortedMap<String, List<Stretch>> wanted) {
        Map<String, Double> wants = new TreeMap<>();
        wanted.forEach((tenant, its) -> wants.put(
                tenant, its.stream().mapToDouble(stretch -> stretch.bytes).sum()));
        List<String> order = wants.keySet().stream()
                .sorted(Comparator.comparingDouble(wants::get))
                .toList();
        int others = order.size();
        SortedMap<String, Long> entitled = new TreeMap<>();
        long left = bytes;
        for (String tenant : order) {
            long gets = Math.min(left / others, (long) Math.ceil(wants.get(tenant)));
            entitled.put(tenant, gets);
            left -= gets;
            others--;
        }
        return entitled;
    }

    private static List<CacheGrant> grants(
            List<CacheGroup> groups, SortedMap<String, List<Stretch>> wanted, List<Stretch> idle) {
        Map<CacheGroup, Long> granted = new HashMap<>();
        wanted.values()
                .forEach(its -> its.forEach(stretch -> granted.merge(stretch.group, stretch.granted, Long::sum)));
        idle.forEach(stretch -> granted.merge(stretch.group, stretch.granted, Long::sum));
        return groups.stream()
                .sorted(BY_NAME)
                .map(group -> new CacheGrant(
                        group.tenant(), group.prefix(), granted.getOrDefault(group, 0L), value(group), group.pinned()))
                .toList();
    }
}
