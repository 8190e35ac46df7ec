package io.praline.dispatcher.ledger.row;

import java.util.List;

/**
 * Where an attempt runs, or where a plan is made.
 *
 * @param worker the worker's id
 * @param incarnation UUID of its process
 * @param host its host name
 * @param addresses where its channel listens
 * @param local whether it runs on the trainer's own host
 */
public record Place(String worker, String incarnation, String host, List<String> addresses, boolean local) {
    public Place {
        addresses = List.copyOf(addresses);
    }

    public byte[] encode() {
        RowWriter out = new RowWriter();
        write(out);
        return out.bytes();
    }

    public static Place decode(byte[] row) {
        return read(new RowReader(row));
    }

    public void write(RowWriter out) {
        out.text(worker).text(incarnation).text(host).texts(addresses).flag(local);
    }

    public static Place read(RowReader in) {
        return new Place(in.text(), in.text(), in.text(), in.texts(), in.flag());
    }
}
