package io.praline.deploy.chaos.trainer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What one life of a trainer writes down: a line an element, and one behind each batch, which counts only with that.
 *
 * <pre>
 *   begin MILLIS                                     the process has started
 *   joined MILLIS                                    it has asked for its place in the job
 *   element EPOCH NUMBER TICKET CONSUMER LIFE        one for each of a batch
 *   wrong EPOCH NUMBER TICKET                        an element that is not what its number and ticket say
 *   trained MILLIS                                   the batch is whole
 *   end MILLIS | left MILLIS                         the stream was over | the trainer left its job
 * </pre>
 *
 * <p>A batch goes to the operating system in one write, before it is acknowledged: what was written outlives the process.
 */
final class Diary implements AutoCloseable {
    static final String BEGIN = "begin";
    static final String JOINED = "joined";
    static final String ELEMENT = "element";
    static final String WRONG = "wrong";
    static final String TRAINED = "trained";
    static final String END = "end";
    static final String LEFT = "left";

    private final FileChannel file;

    private Diary(FileChannel file) {
        this.file = file;
    }

    static Diary begin(Path path) {
        try {
            Diary diary = new Diary(FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
            diary.say(BEGIN);
            return diary;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path + ": " + e.getMessage(), e);
        }
    }

    /** A batch, whole. */
    void trained(int epoch, long[] numbers, long[] tickets, int consumer, int life) {
        StringBuilder lines = new StringBuilder(numbers.length * 40);
        for (int at = 0; at < numbers.length; at++) {
            lines.append(ELEMENT)
                    .append(' ')
                    .append(epoch)
                    .append(' ')
                    .append(numbers[at])
                    .append(' ')
                    .append(tickets[at])
                    .append(' ')
                    .append(consumer)
                    .append(' ')
                    .append(life)
                    .append('\n');
        }
        lines.append(TRAINED).append(' ').append(System.currentTimeMillis()).append('\n');
        write(lines.toString());
    }

    /** An element that is not what it should be. */
    void wrong(int epoch, long number, long ticket) {
        write(WRONG + " " + epoch + " " + number + " " + ticket + "\n");
    }

    /** One of the words that stand alone. */
    void say(String word) {
        write(word + " " + System.currentTimeMillis() + "\n");
    }

    private void write(String lines) {
        ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.US_ASCII));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write what was trained: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close what was trained: " + e.getMessage(), e);
        }
    }
}
