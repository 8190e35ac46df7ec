package io.praline.worker.planning;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.praline.topics.Agreements;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.tensorflow.proto.GraphDef;

/** A graph that lies in a file of its own. */
public final class GraphFile {
    private GraphFile() {}

    /**
     * All of the file. It is not in Java's heap, which has no room for the arrays that people write into pipelines, but mapped,
     * and not from the file itself, which may be cut under the mapping, but from a copy that nobody else can open.
     *
     * @throws IOException if it cannot be read, is no file (a device never ends, a pipe may never begin), or is too large,
     *     with one line
     */
    public static ByteString read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(Files.exists(file) ? "it is no file" : "it is not there");
        }
        Path copy = Files.createTempFile("praline-graph-", ".pb");
        try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel to = FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long most = Agreements.LARGEST_GRAPH_BYTES + 1L;
            long bytes = 0;
            while (bytes < most) {
                long more = from.transferTo(bytes, most - bytes, to);
                if (more == 0) {
                    break;
                }
                bytes += more;
            }
            if (bytes == most) {
                throw new IOException("it has more than " + Agreements.LARGEST_GRAPH_BYTES + " bytes");
            }
            return bytes == 0
                    ? ByteString.EMPTY
                    : UnsafeByteOperations.unsafeWrap(to.map(FileChannel.MapMode.READ_ONLY, 0, bytes));
        } finally {
            Files.delete(copy);
        }
    }

    /**
     * Puts a graph into a folder where others read it, under the name that follows from what is in it.
     *
     * @throws IOException if it cannot be written, with one line
     */
    public static Path write(Path folder, GraphDef graph) throws IOException {
        MessageDigest digest = sha256();
        Path made = Files.createTempFile(folder, "." + Agreements.GRAPH_FILE, "");
        try {
            try (OutputStream out = new DigestOutputStream(Files.newOutputStream(made), digest)) {
                graph.writeTo(out);
            }
            return Files.move(
                    made,
                    folder.resolve(Agreements.graphFile(digest.digest())),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("this Java has no SHA-256", absent);
        }
    }
}
