package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.dispatcher.ledger.row.Sums;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All entries of one prefix of a tenant.
 *
 * @param steps which they lie behind, for people; empty where no job of now has said it
 * @param recordNanos that reading one record saves, on one thread; 0 before it is measured
 * @param recordBytes that are kept of one record; 0 before it is measured
 * @param epochBytes that all entries of one epoch take; 0 before it is known
 * @param usesPerHour how often each of them was read while jobs ran that did, and no more often than such a job does in all
 * @param nanosSaved by all records that were read so far
 * @param lastUse when an attempt last read or made some, or a job came to use it; {@link Instant#EPOCH}: never
 * @param pinned whether nothing of it is to go
 * @param dropped whether all of it is to go, and has not yet
 * @param stores what each holds of it, by name
 * @param storageSeconds of a worker that cost as much as a byte kept for an hour, to the job that came to use it last
 */
public record GroupRow(
        String steps,
        double recordNanos,
        double recordBytes,
        double epochBytes,
        double usesPerHour,
        double nanosSaved,
        Instant lastUse,
        boolean pinned,
        boolean dropped,
        SortedMap<String, Held> stores,
        double storageSeconds) {
    /** One of which nothing is known. */
    public static final GroupRow NEW =
            new GroupRow("", 0, 0, 0, 0, 0, Instant.EPOCH, false, false, Collections.emptySortedMap(), 0);

    public GroupRow {
        stores = Collections.unmodifiableSortedMap(new TreeMap<>(stores));
    }

    /**
     * What a store holds.
     *
     * @param entries one a split
     * @param bytes of them
     */
    public record Held(long entries, long bytes) {}

    /** Entries in all stores; one that lies in two of them counts twice. */
    public long entries() {
        return stores.values().stream().mapToLong(Held::entries).reduce(0, Sums::plus);
    }

    public long bytes() {
        return stores.values().stream().mapToLong(Held::bytes).reduce(0, Sums::plus);
    }

    /** Of one entry, in the mean; 0 where there is none. */
    public double entryBytes() {
        return isEmpty() ? 0 : (double) bytes() / entries();
    }

    public boolean isEmpty() {
        return entries() == 0;
    }

    /** Of it in a store. */
    public long bytesIn(String store) {
        return stores.containsKey(store) ? stores.get(store).bytes() : 0;
    }

    /** For how long nobody has used it; nothing where nobody ever did. */
    public Duration idle(Instant at) {
        return lastUse.equals(Instant.EPOCH) || lastUse.isAfter(at) ? Duration.ZERO : Duration.between(lastUse, at);
    }

    /** A store told what it has of it. */
    public GroupRow holding(String store, Held held) {
        SortedMap<String, Held> now = new TreeMap<>(stores);
        now.put(store, held);
        return with(now);
    }

    /** Nobody has that store any more, or nothing of it is left there. */
    public GroupRow without(String store) {
        SortedMap<String, Held> now = new TreeMap<>(stores);
        now.remove(store);
        return with(now);
    }

    private GroupRow with(SortedMap<String, Held> now) {
        return new GroupRow(
                steps,
                recordNanos,
                recordBytes,
                epochBytes,
                usesPerHour,
                nanosSaved,
                lastUse,
                pinned,
                dropped,
                now,
                storageSeconds);
    }

    /** A job that uses it tells what it is, and what a record of it saves and takes. */
    public GroupRow described(String lying, double nanos, double bytes, double epoch, double storage, Instant at) {
        return new GroupRow(lying, nanos, bytes, epoch, usesPerHour, nanosSaved, at, pinned, dropped, stores, storage);
    }

    /** So many records more were read from it, or it was only written. */
    public GroupRow used(double records, Instant at) {
        return new GroupRow(
                steps,
                recordNanos,
                recordBytes,
                epochBytes,
                usesPerHour,
                nanosSaved + records * recordNanos,
                at,
                pinned,
                dropped,
                stores,
                storageSeconds);
    }

    /** Each of its entries is read so often. */
    public GroupRow withUsesPerHour(double now) {
        return new GroupRow(
                steps,
                recordNanos,
                recordBytes,
                epochBytes,
                now,
                nanosSaved,
                lastUse,
                pinned,
                dropped,
                stores,
                storageSeconds);
    }

    public GroupRow withPinned(boolean now) {
        return new GroupRow(
                steps,
                recordNanos,
                recordBytes,
                epochBytes,
                usesPerHour,
                nanosSaved,
                lastUse,
                now,
                dropped,
                stores,
                storageSeconds);
    }

    public GroupRow withDropped(boolean now) {
        return new GroupRow(
                steps,
                recordNanos,
                recordBytes,
                epochBytes,
                usesPerHour,
                nanosSaved,
                lastUse,
                pinned,
                now,
                stores,
                storageSeconds);
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .text(steps)
                .real(recordNanos)
                .real(recordBytes)
                .real(epochBytes)
                .real(usesPerHour)
                .real(nanosSaved)
                .number(lastUse.toEpochMilli())
                .flag(pinned)
                .flag(dropped)
                .number(stores.size());
        stores.forEach((store, held) -> out.text(store).number(held.entries()).number(held.bytes()));
        return out.real(storageSeconds).bytes();
    }

    public static GroupRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        String steps = in.text();
        double recordNanos = in.real();
        double recordBytes = in.real();
        double epochBytes = in.real();
        double usesPerHour = in.real();
        double nanosSaved = in.real();
        Instant lastUse = Instant.ofEpochMilli(in.number());
        boolean pinned = in.flag();
        boolean dropped = in.flag();
        SortedMap<String, Held> stores = new TreeMap<>();
        for (int left = in.small(); left > 0; left--) {
            stores.put(in.text(), new Held(in.number(), in.number()));
        }
        double storageSeconds = in.hasMore() ? in.real() : 0;
        return new GroupRow(
                steps,
                recordNanos,
                recordBytes,
                epochBytes,
                usesPerHour,
                nanosSaved,
                lastUse,
                pinned,
                dropped,
                stores,
                storageSeconds);
    }
}
