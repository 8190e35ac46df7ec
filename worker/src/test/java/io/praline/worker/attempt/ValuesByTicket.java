package io.praline.worker.attempt;

import io.netty.buffer.ByteBuf;
import io.praline.wire.EndOf;
import io.praline.worker.delivery.LaneClosed;
import io.praline.worker.delivery.LastSequence;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import io.praline.worker.delivery.Placed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Takes every batch, and remembers each element by its ticket: the bytes of its components. */
final class ValuesByTicket implements BatchSink {
    private static final int STRING = 7;

    private final Map<Long, String> values = new TreeMap<>();
    private final List<String> ends = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private final boolean again;
    private long batches;

    ValuesByTicket() {
        this(false);
    }

    /** @param again whether an element may come twice, the same both times */
    ValuesByTicket(boolean again) {
        this.again = again;
    }

    @Override
    public synchronized Placed put(OutgoingBatch batch) {
        long[] tickets = batch.tickets();
        for (int i = 0; i < tickets.length; i++) {
            StringBuilder value = new StringBuilder();
            for (OutgoingTensor tensor : batch.tensors()) {
                value.append(value(tensor, i, tickets.length)).append('|');
            }
            String before = values.put(tickets[i], value.toString());
            if (before != null && !(again && before.equals(value.toString()))) {
                throw new IllegalStateException("ticket " + tickets[i] + " came twice");
            }
        }
        sizes.add(tickets.length);
        batches++;
        notifyAll();
        batch.release().run();
        return new Placed(0, batches - 1);
    }

    /** Waits until so many batches came. */
    synchronized void await(long count) throws InterruptedException {
        while (batches < count) {
            wait();
        }
    }

    /** Of a tensor with a row for each element its row, else all of it. */
    private static String value(OutgoingTensor tensor, int row, int rows) {
        long[] shape = tensor.shape();
        boolean rowwise = shape.length > 0 && shape[0] == rows;
        String rest = Arrays.toString(rowwise ? Arrays.copyOfRange(shape, 1, shape.length) : shape);
        ByteBuf body = tensor.body();
        int at = body.readerIndex();
        if (!rowwise) {
            return tensor.dtype() + rest + hex(body, at, body.readableBytes());
        }
        if (tensor.dtype() == STRING) {
            int each = (int) LongStream.of(shape).skip(1).reduce(1, (a, b) -> a * b);
            int base = at + (rows * each + 1) * Long.BYTES;
            StringBuilder strings = new StringBuilder();
            for (int i = row * each; i < (row + 1) * each; i++) {
                int from = (int) body.getLongLE(at + i * Long.BYTES);
                int to = (int) body.getLongLE(at + (i + 1) * Long.BYTES);
                strings.append(hex(body, base + from, to - from)).append(',');
            }
            return tensor.dtype() + rest + strings;
        }
        int bytes = body.readableBytes() / rows;
        return tensor.dtype() + rest + hex(body, at + row * bytes, bytes);
    }

    private static String hex(ByteBuf body, int from, int length) {
        byte[] bytes = new byte[length];
        body.getBytes(from, bytes);
        return length > 64
                ? length + "#" + Arrays.hashCode(bytes)
                : HexFormat.of().formatHex(bytes);
    }

    @Override
    public synchronized void end(EndOf of) {
        ends.add("end of " + of);
    }

    @Override
    public void seal() {}

    @Override
    public synchronized void fail(String reason) {
        ends.add("failed: " + reason);
    }

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public void serve(Membership membership) {}

    @Override
    public int membership() {
        return 0;
    }

    @Override
    public List<LaneClosed> takeClosed() {
        return List.of();
    }

    @Override
    public synchronized List<LastSequence> lastSequences() {
        return List.of(new LastSequence(0, 0, batches - 1));
    }

    @Override
    public boolean delivered() {
        return true;
    }

    @Override
    public void close() {}

    synchronized Map<Long, String> values() {
        return new TreeMap<>(values);
    }

    /** Elements of each batch. */
    synchronized List<Integer> sizes() {
        return List.copyOf(sizes);
    }
}
