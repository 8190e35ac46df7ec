package io.praline.deploy.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that the user named for what a command makes, which may take minutes. */
public final class OutputFile {

    private OutputFile() {}

    /**
     * Whether it can be written, before the work is done. What is there stays as it is, and where nothing is there nothing is
     * afterwards.
     *
     * @throws CommandFailed if it cannot be written
     */
    public static void check(Path file) {
        boolean there = Files.exists(file);
        if (there && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
            // to open a pipe is to wait for its reader
            return;
        }
        try {
            Files.newOutputStream(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)
                    .close();
            if (!there) {
                // where a link led nowhere it is the file that goes
                Files.delete(file.toRealPath());
            }
        } catch (IOException unwritable) {
            throw Failures.unwritable(file, unwritable);
        }
    }

    /**
     * In place of what is there.
     *
     * @throws CommandFailed if it cannot be written
     */
    public static void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException unwritable) {
            throw Failures.unwritable(file, unwritable);
        }
    }
}
