package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One page of a plan as a compact row. Names are front-coded: a name is what it shares with the one before, and the rest.
 *
 * <pre>
 *   page   = number of splits, split*
 *   split  = code of its kind + 8 x (source above 0) + 16 x (records known) + 32 x (versions known),
 *            [source], [records], bytes, [versions], by kind:
 *            FILE          name
 *            RECORD_RANGE  name, from, until - from
 *            NAMES         count, name*
 *            INTEGERS      from (signed), until (signed), step (signed)
 *            INDEXES       from, until - from
 *            WHOLE
 *   versions = count, for each: length, text
 *   name   = bytes shared with the name before it on the page, length of the rest, the rest
 * </pre>
 */
public final class PlanPage {
    private static final int SOURCE = 8;
    private static final int RECORDS = 16;
    private static final int VERSIONS = 32;
    private static final byte[] NOTHING = {};

    private PlanPage() {}

    public static byte[] encode(List<Split> splits) {
        RowWriter out = new RowWriter();
        out.number(splits.size());
        byte[] before = NOTHING;
        for (Split split : splits) {
            Optional<Long> records = split.getRecords();
            out.number(code(split.getKind())
                    + (split.getSource() > 0 ? SOURCE : 0)
                    + (records.isPresent() ? RECORDS : 0)
                    + (split.getVersions().isEmpty() ? 0 : VERSIONS));
            if (split.getSource() > 0) {
                out.number(split.getSource());
            }
            records.ifPresent(out::number);
            out.number(split.getBytes());
            if (!split.getVersions().isEmpty()) {
                out.texts(split.getVersions());
            }
            switch (split.getKind()) {
                case FILE -> before = name(out, split.getPaths().get(0), before);
                case RECORD_RANGE -> {
                    before = name(out, split.getPaths().get(0), before);
                    out.number(split.getFrom()).number(split.getUntil() - split.getFrom());
                }
                case NAMES -> {
                    out.number(split.getPaths().size());
                    for (String path : split.getPaths()) {
                        before = name(out, path, before);
                    }
                }
                case INTEGERS ->
                    out.signed(split.getFrom()).signed(split.getUntil()).signed(split.getStep());
                case INDEXES -> out.number(split.getFrom()).number(split.getUntil() - split.getFrom());
                case WHOLE -> {}
            }
        }
        return out.bytes();
    }

    /** How many splits are on it. */
    public static int size(byte[] page) {
        return new RowReader(page).small();
    }

    /**
     * Where every {@link #EVERY}th split of a page begins, so that one is found without reading those far before it: splits
     * are assigned in no order, and a page has a thousand.
     */
    static final class Index {
        /** Splits from one place to the next: of a full page some 130 bytes are kept, and so many names. */
        static final int EVERY = 32;

        private final byte[] page;
        private final int[] begins;

        /** For each of them the name that the next one on the page shares bytes with. */
        private final byte[][] names;

        Index(byte[] page) {
            this.page = page;
            Reader reader = new Reader(page);
            int marks = (reader.size + EVERY - 1) / EVERY;
            this.begins = new int[marks];
            this.names = new byte[marks][];
            for (int i = 0; i < reader.size; i++) {
                if (i % EVERY == 0) {
                    begins[i / EVERY] = reader.in.at();
                    names[i / EVERY] = reader.nameBefore();
                }
                reader.skip();
            }
        }

        /** Whether it is of these very bytes. */
        boolean isOf(byte[] row) {
            return page == row;
        }

        /** The split at this place on the page, counted from 0. */
        Split split(int index) {
            Reader reader = new Reader(page);
            reader.go(begins[index / EVERY], names[index / EVERY]);
            for (int i = 0; i < index % EVERY; i++) {
                reader.skip();
            }
            return reader.read();
        }
    }

    /** All of its splits. */
    public static List<Split> decode(byte[] page) {
        Reader reader = new Reader(page);
        List<Split> splits = new ArrayList<>(reader.size);
        for (int i = 0; i < reader.size; i++) {
            splits.add(reader.read());
        }
        return splits;
    }

    private static int code(SplitKind kind) {
        return switch (kind) {
            case FILE -> 0;
            case RECORD_RANGE -> 1;
            case NAMES -> 2;
            case INTEGERS -> 3;
            case INDEXES -> 4;
            case WHOLE -> 5;
        };
    }

    private static SplitKind kind(int code) {
        return switch (code) {
            case 0 -> SplitKind.FILE;
            case 1 -> SplitKind.RECORD_RANGE;
            case 2 -> SplitKind.NAMES;
            case 3 -> SplitKind.INTEGERS;
            case 4 -> SplitKind.INDEXES;
            case 5 -> SplitKind.WHOLE;
            default -> throw new IllegalStateException("a page holds a split of kind " + code);
        };
    }

    private static byte[] name(RowWriter out, String name, byte[] before) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int shared = Arrays.mismatch(bytes, before);
        int same = shared < 0 ? bytes.length : shared;
        out.number(same).number(bytes.length - same).raw(bytes, same);
        return bytes;
    }

    private static final class Reader {
        private final RowReader in;
        private final int size;
        private byte[] name = new byte[256];
        private int nameLength;

        Reader(byte[] page) {
            this.in = new RowReader(page);
            this.size = in.length();
        }

        byte[] nameBefore() {
            return nameLength == 0 ? NOTHING : Arrays.copyOf(name, nameLength);
        }

        void go(int at, byte[] nameBefore) {
            in.go(at);
            nameLength = nameBefore.length;
            if (nameLength > name.length) {
                name = new byte[nameLength * 2];
            }
            System.arraycopy(nameBefore, 0, name, 0, nameLength);
        }

        Split read() {
            int head = in.small();
            SplitKind kind = kind(head & 7);
            Split.Builder split = Split.newBuilder()
                    .setKind(kind)
                    .setSource((head & SOURCE) == 0 ? 0 : in.small())
                    .setRecords((head & RECORDS) == 0 ? null : in.number())
                    .setBytes(in.number())
                    .setVersions((head & VERSIONS) == 0 ? List.of() : in.texts())
                    .setPaths(List.of())
                    .setFrom(0)
                    .setUntil(0)
                    .setStep(0);
            switch (kind) {
                case FILE -> split.setPaths(List.of(name()));
                case RECORD_RANGE -> {
                    split.setPaths(List.of(name()));
                    range(split);
                }
                case NAMES -> {
                    int count = in.length();
                    List<String> names = new ArrayList<>(count);
                    for (int i = 0; i < count; i++) {
                        names.add(name());
                    }
                    split.setPaths(names);
                }
                case INTEGERS ->
                    split.setFrom(in.signed()).setUntil(in.signed()).setStep(in.signed());
                case INDEXES -> range(split);
                case WHOLE -> {}
            }
            return split.build();
        }

        private void range(Split.Builder split) {
            long from = in.number();
            split.setFrom(from).setUntil(from + in.number());
        }

        /** Over a split, keeping only what the next name needs: no text is made of it. */
        void skip() {
            int head = in.small();
            if ((head & SOURCE) != 0) {
                in.number();
            }
            if ((head & RECORDS) != 0) {
                in.number();
            }
            in.number();
            if ((head & VERSIONS) != 0) {
                in.texts();
            }
            switch (kind(head & 7)) {
                case FILE -> readName();
                case RECORD_RANGE -> {
                    readName();
                    in.number();
                    in.number();
                }
                case NAMES -> {
                    int count = in.small();
                    for (int i = 0; i < count; i++) {
                        readName();
                    }
                }
                case INTEGERS -> {
                    in.number();
                    in.number();
                    in.number();
                }
                case INDEXES -> {
                    in.number();
                    in.number();
                }
                case WHOLE -> {}
            }
        }

        private void readName() {
            int shared = in.small();
            int rest = in.length();
            if (shared > nameLength) {
                throw new IllegalStateException(
                        "a name on a page shares " + shared + " bytes with one of " + nameLength);
            }
            nameLength = shared + rest;
            if (nameLength > name.length) {
                name = Arrays.copyOf(name, nameLength * 2);
            }
            in.raw(name, shared, rest);
        }

        private String name() {
            readName();
            return new String(name, 0, nameLength, StandardCharsets.UTF_8);
        }
    }
}
