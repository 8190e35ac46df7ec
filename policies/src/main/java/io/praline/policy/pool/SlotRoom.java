package io.praline.policy.pool;

import java.util.Arrays;
import java.util.Collection;

/**
 * Whether shares can be placed at all when a job has at most one task on a worker. They can, by the theorem of Gale and
 * Ryser, exactly when for each k
 *
 * <pre>
 *   sum of the k largest shares &lt;= sum over workers of min(slots, k)
 * </pre>
 *
 * and where k is at least the slots of the largest worker, the right side no longer grows: only the few largest shares
 * have to be remembered.
 */
final class SlotRoom {
    /** By k. */
    private final long[] room;
    /** In descending order, as many as the largest worker has slots. */
    private final int[] largest;

    private long taken;

    SlotRoom(Collection<Worker> workers) {
        int most = workers.stream().mapToInt(Worker::slots).max().orElse(0);
        room = new long[most + 1];
        largest = new int[most];
        long[] with = new long[most + 1];
        workers.forEach(worker -> with[worker.slots()]++);
        long atLeast = workers.size();
        for (int k = 1; k <= most; k++) {
            room[k] = room[k - 1] + atLeast;
            atLeast -= with[k];
        }
    }

    /** Whether these shares can be placed together where nothing has been taken yet. */
    boolean holds(int[] shares) {
        int[] ascending = shares.clone();
        Arrays.sort(ascending);
        long sum = 0;
        for (int k = 1; k <= ascending.length; k++) {
            sum += ascending[ascending.length - k];
            if (sum > room[Math.min(k, room.length - 1)]) {
                return false;
            }
        }
        return true;
    }

    /** Makes one share larger by one, from {@code share}; false, and nothing changes, where that could not be placed. */
    boolean raise(int share) {
        if (taken >= room[room.length - 1]) {
            return false;
        }
        int raised = 0;
        while (raised < largest.length && largest[raised] != share) {
            raised++;
        }
        if (raised < largest.length) {
            long sum = 1;
            for (int k = 1; k <= largest.length; k++) {
                sum += largest[k - 1];
                if (k > raised && sum > room[k]) {
                    return false;
                }
            }
            largest[raised]++;
        }
        taken++;
        return true;
    }
}
