package io.praline.deploy.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where results go. It remembers that they could not be written, which a writer in front of it keeps to itself. */
public final class StandardOutput extends OutputStream {
    private static final Path TARGET = Path.of("/proc/self/fd/1");

    // not System.out, which keeps to itself that nobody reads it any more
    private final OutputStream out;
    private Optional<IOException> failure = Optional.empty();

    public StandardOutput() {
        this(new FileOutputStream(FileDescriptor.out));
    }

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException failed) {
            failure = Optional.of(failed);
            throw failed;
        }
    }

    /** What results were lost by; empty where none were, or where whoever read them has gone, as 'head' does behind its lines. */
    public Optional<CommandFailed> lost() {
        return failure.filter(failed -> !isPipe())
                .map(failed -> new CommandFailed(
                        ExitCode.REFUSED,
                        "results cannot be written to standard output: " + Failures.why(failed)
                                + "; what was printed is not whole",
                        failed));
    }

    private static boolean isPipe() {
        try {
            String target = Files.readSymbolicLink(TARGET).toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        } catch (IOException unknown) { // on other systems nobody tells
            return true;
        }
    }
}
