package io.praline.topics;

import io.praline.schema.Component;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Numbers by which programs of different modules must go alike, each once. What one program decides alone is its own. */
public final class Agreements {
    /**
     * The largest graph that lies in a record itself, in bytes. A larger one goes by the path of a file, which the client
     * writes and workers pass on: the log is for control, and a record is copied to every broker.
     */
    public static final int INLINE_GRAPH_BYTES = 512 << 10;

    /**
     * The node of a submitted graph that says against which folder relative names are read. It feeds nothing; its attribute
     * {@link #DIRECTORY} is the folder, {@link #LISTS_REPLACED} whether other files are read than those that the graph lists.
     */
    public static final String DIRECTORY_NODE = "praline_directory";

    public static final String DIRECTORY = "_praline_directory";
    public static final String LISTS_REPLACED = "_praline_lists_replaced";

    /** How the name of such a file begins, before a dash; behind a dot while it is written. */
    public static final String GRAPH_FILE = "graph";

    /**
     * The largest graph, in bytes. Arrays of a data set that is small enough for memory stand in it; what holds more should be
     * in files, of which each worker reads its part.
     */
    public static final int LARGEST_GRAPH_BYTES = 256 << 20;

    /** Splits on every page of a plan but the last: the planner fills pages, and a split's ordinal says on which it lies. */
    public static final int SPLITS_A_PAGE = 1_000;

    /**
     * The largest record that is sent, kept and read, in bytes. A quarantined record holds one that may have been as large
     * as Kafka's default limit (1 MiB) allows.
     */
    public static final int RECORD_BYTES = 2 << 20;

    /** Segments of what is read whole by those who join, in bytes: small ones let the cleaner at what is superseded. */
    public static final int COMPACTED_SEGMENT_BYTES = 16 << 20;

    /**
     * The longest text for people, in bytes of UTF-8: a reason, a line on a bad record. Who makes one cuts it, and so does
     * who reads it, since a record that tells many of them must stay below {@link #RECORD_BYTES}.
     */
    public static final int REASON_BYTES = 4 << 10;

    /** Lines for people in one list. */
    public static final int REASONS = 100;

    /** Training loops that may share a job. More are a slip of the pen: each has a place in every status, and a lane at every worker. */
    public static final int MOST_CONSUMERS = 10_000;

    /** Tasks that a worker may run at a time, more than any machine has cores: slots of a pool are dealt one by one. */
    public static final int MOST_SLOTS = 1_000;

    /** Workers that anybody may want of a pool. */
    public static final int MOST_WORKERS = 100_000;

    /** Workers that a job may have on its trainer's host: processes that one machine may run. Policies try each number. */
    public static final int MOST_LOCAL_WORKERS = 1_000;

    /** Of each of the dispatchers' inputs, more than brokers keep: who asks for more has mistyped it, and topics do not shrink. */
    public static final int MOST_PARTITIONS = 10_000;

    /** The most that names and shapes of an element's components may take: they go into each of the job's statuses. */
    public static final int DESCRIBED_BYTES = 256 << 10;

    /** The pool that workers and jobs are in where nobody says. */
    public static final String USUAL_POOL = "default";

    /** Whose jobs and entries are where nobody says. */
    public static final String USUAL_TENANT = "default";

    /** How the name of a step begins that stays where it is, and that nothing passes. */
    public static final String KEEP_POSITION = "keep_position";

    /** The longest name of a pool, a worker, a tenant or a job, in bytes of UTF-8: names are parts of keys. */
    private static final int NAME_BYTES = 200;

    private static final int SHOWN_CHARS = 80;

    private Agreements() {}

    /** Whether it can be the name of a pool, a worker, a tenant or a job. */
    static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return false;
            }
        }
        // nearly all are so short that they need not be encoded to tell
        boolean fits = 3 * name.length() <= NAME_BYTES || name.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES;
        return fits && !name.isBlank();
    }

    /**
     * The name, if it can be one. Whatever comes under another, the dispatcher puts aside, and who sent it hears nothing.
     *
     * @param what it is the name of, for the message
     * @throws IllegalArgumentException if it can be none
     */
    public static String requireName(String what, String name) {
        // only what is wrong is made printable: every beat has names
        if (!isName(name)) {
            throw new IllegalArgumentException(what + " must be 1 to " + NAME_BYTES
                    + " bytes of UTF-8 without control characters, is '" + printable(name) + "'");
        }
        return name;
    }

    /** What is no name, as people may be shown it. */
    public static String printable(String name) {
        String clean = name.replaceAll("\\p{Cc}", "?");
        return clean.length() > SHOWN_CHARS ? clean.substring(0, SHOWN_CHARS) + "..." : clean;
    }

    /**
     * Looks at a consumer's number from above.
     *
     * @throws IllegalArgumentException if no job has as many
     */
    public static void requireConsumer(int consumer) {
        if (consumer >= MOST_CONSUMERS) {
            throw new IllegalArgumentException("consumer must be below " + MOST_CONSUMERS + ", is " + consumer);
        }
    }

    /** What these take of {@link #DESCRIBED_BYTES}. */
    public static long describedBytes(List<Component> components) {
        return components.stream()
                .mapToLong(component -> 16L * (1 + component.getShape().size())
                        + component.getName().getBytes(StandardCharsets.UTF_8).length
                        + component.getDtype().getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    /** The name of a file that holds a graph: it follows from what is in it. */
    public static String graphFile(byte[] sha256) {
        return GRAPH_FILE + "-" + HexFormat.of().formatHex(sha256) + ".pb";
    }
}
