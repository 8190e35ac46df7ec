package io.praline.client;

import io.praline.topics.Agreements;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The folder in which a program runs: against it its relative names of files are read, wherever workers run. */
record ProgramDirectory(Path path) {
    private static final int VARINT = 0;
    private static final int BYTES = 2;

    /** Globs as they are meant here. */
    List<String> absolute(List<String> globs) {
        return globs.stream().map(this::absolute).toList();
    }

    private String absolute(String glob) {
        boolean whole = glob.isBlank() || glob.startsWith("/") || glob.contains("://");
        return whole ? glob : escaped(path.toString()) + "/" + glob;
    }

    /** A folder's name as a glob that matches it alone. */
    private static String escaped(String folder) {
        return folder.replaceAll("[\\\\*?\\[\\]{}]", "\\\\$0");
    }

    /**
     * A serialised {@code GraphDef} with the node that says where its names are read. Messages of Protocol Buffers that stand
     * behind each other are one, so nothing of the graph need be read.
     *
     * @param listsReplaced whether other files are read than those that it lists
     */
    byte[] in(byte[] graph, boolean listsReplaced) {
        Message node = new Message()
                .text(1, Agreements.DIRECTORY_NODE)
                .text(2, "NoOp")
                .message(
                        5,
                        new Message().text(1, Agreements.DIRECTORY).message(2, new Message().text(2, path.toString())))
                .message(
                        5,
                        new Message()
                                .text(1, Agreements.LISTS_REPLACED)
                                .message(2, new Message().flag(5, listsReplaced)));
        ByteArrayOutputStream both = new ByteArrayOutputStream(graph.length + 256);
        both.writeBytes(graph);
        both.writeBytes(new Message().message(1, node).bytes());
        return both.toByteArray();
    }

    /** A message of Protocol Buffers in the making. */
    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message text(int field, String text) {
            return bytes(field, text.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message inner) {
            return bytes(field, inner.bytes());
        }

        Message flag(int field, boolean value) {
            varint((field << 3) | VARINT);
            varint(value ? 1 : 0);
            return this;
        }

        byte[] bytes() {
            return out.toByteArray();
        }

        private Message bytes(int field, byte[] content) {
            varint((field << 3) | BYTES);
            varint(content.length);
            out.writeBytes(content);
            return this;
        }

        private void varint(int value) {
            int rest = value;
            while (rest > 0x7f) {
                out.write((rest & 0x7f) | 0x80);
                rest >>>= 7;
            }
            out.write(rest);
        }
    }
}
