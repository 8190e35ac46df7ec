package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/**
 * A split that was open when workers crashed. From the third time on it is read alone, by an attempt that has nothing else;
 * where that crashes too, the next one gets half of what this one had, until one record is left:
 *
 * <pre>
 *   suspicious  = the first so many of its elements that are to be assigned and not cleared; all of them at first
 *   read next   = all at first, then the first half of the suspicious
 *   a crash     = suspicious: what was read;  condemned, if that was one and the same three times
 *   an end      = cleared: what was read;     suspicious: the others
 *   crashes     = those of the last hour; time in which nothing moved in the epoch is no part of it
 * </pre>
 *
 * What crashes whoever reads it keeps its epoch where it is, and fails it however long it takes to get there; workers that
 * crash now and then, by whatever it may be, do not, however long the epoch takes.
 *
 * <p>Owned by the stream thread.
 */
public final class SuspectRow {
    /** Crashes from which on it is read alone. */
    static final int ALONE = 3;

    /**
     * Crashes in a row with nothing but one element that condemn it. At two, the kills of a bad minute condemned good ones: who
     * reads one element alone is nearly always at it.
     */
    static final int CONDEMNED = 3;

    private static final Duration WITHIN = Duration.ofHours(1);

    private final List<Instant> crashes = new ArrayList<>();
    private long moved;
    private boolean alone;
    private long suspicious;
    private int crashesOfOne;
    private OptionalInt reader = OptionalInt.empty();
    private RoaringBitmap read = new RoaringBitmap();
    private RoaringBitmap cleared = new RoaringBitmap();

    /** How often it was open, of late. */
    public int crashes() {
        return crashes.size();
    }

    boolean alone() {
        return alone;
    }

    /** The attempt that reads it alone now; empty where none does. */
    OptionalInt reader() {
        return reader;
    }

    /** The only element that its readers had when they crashed; empty where they had more, or one of them alone did. */
    OptionalLong condemned() {
        return crashesOfOne >= CONDEMNED ? OptionalLong.of(Integer.toUnsignedLong(read.first())) : OptionalLong.empty();
    }

    /**
     * A worker crashed.
     *
     * @param alone whether it had nothing else of the job
     * @param mayBeAlone whether the split can be read alone
     * @param moved how far the epoch has come, in whatever unit
     * @param at when, in log time
     */
    public record Crash(boolean alone, boolean mayBeAlone, long moved, Instant at) {}

    /** It was open once more. */
    void crashed(Crash crash) {
        if (moved == crash.moved() && !crashes.isEmpty()) {
            Duration still = Duration.between(crashes.get(crashes.size() - 1), crash.at());
            crashes.replaceAll(before -> before.plus(still));
        }
        moved = crash.moved();
        crashes.removeIf(before -> !before.isAfter(crash.at().minus(WITHIN)));
        crashes.add(crash.at());
        alone |= crash.mayBeAlone() && crashes.size() >= ALONE;
        if (crash.alone() && !read.isEmpty()) {
            suspicious = read.getLongCardinality();
            crashesOfOne = suspicious == 1 ? crashesOfOne + 1 : 0;
        }
    }

    /** What is to be read next, of the elements that are to be assigned; empty where all of them are cleared. */
    RoaringBitmap next(RoaringBitmap unassigned) {
        RoaringBitmap left = RoaringBitmap.andNot(unassigned, cleared);
        return suspicious == 0 ? left : left.limit((int) Math.min(Integer.MAX_VALUE, (suspicious + 1) / 2));
    }

    /** An attempt reads this of it, and nothing else. */
    void reads(int attempt, RoaringBitmap elements) {
        reader = OptionalInt.of(attempt);
        read = elements.clone();
    }

    /** Its reader is there no more. */
    void stopped() {
        reader = OptionalInt.empty();
    }

    /** Its reader came to its end. */
    void passed() {
        reader = OptionalInt.empty();
        crashesOfOne = 0;
        cleared.or(read);
        suspicious = Math.max(0, suspicious - read.getLongCardinality());
    }

    /** The one element is left out: all others are suspicious again. */
    void leftOut() {
        crashesOfOne = 0;
        suspicious = 0;
        read = new RoaringBitmap();
    }

    byte[] encode() {
        RowWriter out = new RowWriter()
                .number(crashes.size())
                .flag(alone)
                .number(suspicious)
                .flag(crashesOfOne >= CONDEMNED)
                .number(reader.isPresent() ? reader.getAsInt() + 1L : 0)
                .bitmap(read)
                .bitmap(cleared)
                .number(crashesOfOne)
                .number(moved);
        crashes.forEach(at -> out.number(at.toEpochMilli()));
        return out.bytes();
    }

    static SuspectRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        SuspectRow suspect = new SuspectRow();
        int crashes = in.small();
        suspect.alone = in.flag();
        suspect.suspicious = in.number();
        boolean condemned = in.flag();
        int reader = in.small();
        suspect.reader = reader == 0 ? OptionalInt.empty() : OptionalInt.of(reader - 1);
        suspect.read = in.bitmap();
        suspect.cleared = in.bitmap();
        suspect.crashesOfOne = in.hasMore() ? in.small() : condemned ? CONDEMNED : 0;
        // rows of older dispatchers end here: when those were is not known
        suspect.moved = in.hasMore() ? in.number() : 0;
        for (int crash = 0; crash < crashes; crash++) {
            suspect.crashes.add(Instant.ofEpochMilli(in.hasMore() ? in.number() : 0));
        }
        return suspect;
    }
}
