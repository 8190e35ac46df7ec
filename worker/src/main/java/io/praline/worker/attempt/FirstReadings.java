package io.praline.worker.attempt;

import io.praline.identity.Ticket;
import io.praline.schema.SplitDigest;
import io.praline.worker.engine.ReadMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/**
 * What the first elements consist of, of splits whose elements are numbered as they come out: digests of the first 1, 2, 4 and
 * so on up to 64, so that two readings can be compared as far as both came. The puller's thread only.
 */
final class FirstReadings {
    /** Of 1, 2, 4, 8, 16, 32 and 64 elements. */
    static final int DIGESTS = 7;

    private static final int MOST = 1 << (DIGESTS - 1);

    private final Map<Long, Reading> open = new HashMap<>();
    private final RoaringBitmap settled = new RoaringBitmap();

    /** One reading of a split. */
    private static final class Reading {
        private final List<Long> digests = new ArrayList<>();
        private long digest;
        private int elements;

        void add(long fingerprint) {
            digest = mixed(digest, fingerprint);
            elements++;
            if (Integer.bitCount(elements) == 1 && digests.size() < DIGESTS) {
                digests.add(digest);
            }
        }

        void end() {
            while (digests.size() < DIGESTS) {
                digests.add(digest);
            }
        }

        /** Not negative. */
        private static long mixed(long before, long fingerprint) {
            long mixed = (before * 31 + fingerprint) * 0x9E3779B97F4A7C15L;
            return (mixed ^ (mixed >>> 32)) & Long.MAX_VALUE;
        }
    }

    /** Takes what was told of the reading of splits; gives what is news of their first elements. */
    List<SplitDigest> add(List<ReadMark> marks) {
        Map<Long, SplitDigest> news = new LinkedHashMap<>();
        for (ReadMark mark : marks) {
            long ordinal = mark.ordinal();
            if (!mark.isEnd() && Ticket.record(mark.ticket()) == 0) {
                // assigned again, it is read from its beginning again
                open.put(ordinal, new Reading());
            }
            Reading reading = open.computeIfAbsent(ordinal, none -> new Reading());
            int before = reading.digests.size();
            if (mark.isEnd()) {
                reading.end();
                open.remove(ordinal);
            } else {
                reading.add(mark.fingerprint());
            }
            if (reading.digests.size() > before) {
                news.put(ordinal, new SplitDigest(ordinal, List.copyOf(reading.digests)));
            }
            if (reading.elements == MOST || mark.isEnd()) {
                settled.add((int) ordinal);
            }
        }
        return List.copyOf(news.values());
    }

    /** Whether more may be known by now of the first elements of the splits that these are of. */
    boolean wanting(long[] tickets) {
        long before = -1;
        for (long ticket : tickets) {
            long ordinal = Ticket.ordinal(ticket);
            if (ordinal != before && !settled.contains((int) ordinal)) {
                return true;
            }
            before = ordinal;
        }
        return false;
    }

    /** All was asked for that is known: of a split that nothing is told of, elements are no numbers of what comes out. */
    void asked(long[] tickets) {
        for (long ticket : tickets) {
            long ordinal = Ticket.ordinal(ticket);
            if (!open.containsKey(ordinal)) {
                settled.add((int) ordinal);
            }
        }
    }
}
