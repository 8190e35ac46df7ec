package io.praline.deploy.feed;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/** The two pipes of a feed: commands in, events out. One thread reads; any writes. */
final class Pipe implements AutoCloseable {
    /** A length and a type. */
    private static final int HEAD_BYTES = 5;

    private final DataInputStream commands;
    private final FileChannel events;

    private Pipe(DataInputStream commands, FileChannel events) {
        this.commands = commands;
        this.events = events;
    }

    static Pipe open(Path commands, Path events) throws IOException {
        FileInputStream in = new FileInputStream(commands.toFile());
        try {
            return new Pipe(
                    new DataInputStream(new BufferedInputStream(in)),
                    new FileOutputStream(events.toFile()).getChannel());
        } catch (IOException refused) {
            in.close();
            throw refused;
        }
    }

    /** The next command; empty where Python has closed the pipe, however that came. */
    Optional<Command> read() {
        try {
            int bytes = Integer.reverseBytes(commands.readInt());
            if (bytes < 1) {
                throw new IOException("a command must have at least one byte, has " + bytes);
            }
            Command.Type type = Command.Type.of(commands.readUnsignedByte());
            byte[] body = commands.readNBytes(bytes - 1);
            if (body.length < bytes - 1) {
                throw new EOFException();
            }
            return Optional.of(new Command(type, ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN)));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /**
     * Sends an event; false where Python is gone.
     *
     * @param body of the message, in these pieces
     */
    boolean write(Event event, ByteBuffer... body) {
        int bytes = 1;
        for (ByteBuffer piece : body) {
            bytes = Math.addExact(bytes, piece.remaining());
        }
        ByteBuffer[] all = new ByteBuffer[body.length + 1];
        all[0] = ByteBuffer.allocate(HEAD_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(bytes)
                .put((byte) event.number())
                .flip();
        System.arraycopy(body, 0, all, 1, body.length);
        long left = bytes + HEAD_BYTES - 1L;
        try {
            synchronized (events) {
                while (left > 0) {
                    left -= events.write(all);
                }
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** Python sees the end of its pipe, and so does who writes. By who reads, which it does not do any more then. */
    @Override
    public void close() {
        try (commands;
                events) {
            // the end of both
        } catch (IOException gone) {
            // the same as its end
        }
    }
}
