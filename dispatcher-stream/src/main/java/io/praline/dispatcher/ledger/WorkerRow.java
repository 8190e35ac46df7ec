package io.praline.dispatcher.ledger;

/**
 * A worker of a pool. When it was last heard of is not here: that would write a row a second for each.
 *
 * @param place its process and where it can be reached
 * @param slots tasks that it runs at the same time
 * @param draining whether it is about to leave and takes no new work
 */
public record WorkerRow(Place place, int slots, boolean draining) {

    public byte[] encode() {
        RowWriter out = new RowWriter();
        place.write(out);
        return out.number(slots).flag(draining).bytes();
    }

    public static WorkerRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        return new WorkerRow(Place.read(in), in.small(), in.flag());
    }
}
