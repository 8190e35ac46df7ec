package io.praline.deploy.chaos.trainer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** One life of a trainer, by its {@link Diary}, which is read as it grows. Belongs to one thread. */
public final class Life {
    private final Path path;
    private final int number;
    private final List<Trained> trained = new ArrayList<>();
    private final List<Trained> batch = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private String torn = "";
    private long read;
    private boolean begun;
    private long begunAtMillis;
    private boolean joined;
    private boolean over;

    /** @param number which of the trainer's lives, counted from 0 */
    public Life(Path path, int number) {
        this.path = path;
        this.number = number;
    }

    /**
     * An element as a trainer wrote it down.
     *
     * @param life which of the consumer's, counted from 0
     * @param atMillis when, in milliseconds since 1970
     */
    public record Trained(JobPlan.Element element, long ticket, int consumer, int life, long atMillis) {}

    public int number() {
        return number;
    }

    /** What it trained on, in that order; a batch that is not whole does not count. */
    public List<Trained> trained() {
        return trained;
    }

    /** Elements that were not what they should be, a line each. */
    public List<String> wrong() {
        return wrong;
    }

    /** Whether the process has begun to write. */
    public boolean begun() {
        return begun;
    }

    public long begunAtMillis() {
        return begunAtMillis;
    }

    /** Whether it has asked for its place in the job: who takes that from then on comes after it. */
    public boolean joined() {
        return joined;
    }

    /** Whether its stream was over, or it left: it did not just cease. */
    public boolean over() {
        return over;
    }

    /** Reads what was written since. */
    public void read() {
        if (!Files.exists(path)) {
            return;
        }
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer fresh = ByteBuffer.allocate((int) Math.max(0, file.size() - read));
            while (fresh.hasRemaining() && file.read(fresh, read + fresh.position()) >= 0) {
                // until all is there
            }
            read += fresh.position();
            take(new String(fresh.array(), 0, fresh.position(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    /** Takes further text, which may end in the middle of a line. */
    void take(String text) {
        String all = torn + text;
        int from = 0;
        for (int end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', from)) {
            line(all.substring(from, end));
            from = end + 1;
        }
        torn = all.substring(from);
    }

    private void line(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case Diary.ELEMENT ->
                batch.add(new Trained(
                        new JobPlan.Element(Integer.parseInt(words[1]), Long.parseLong(words[2])),
                        Long.parseLong(words[3]),
                        Integer.parseInt(words[4]),
                        Integer.parseInt(words[5]),
                        0));
            case Diary.WRONG -> wrong.add(line);
            case Diary.TRAINED -> {
                long at = Long.parseLong(words[1]);
                batch.forEach(
                        one -> trained.add(new Trained(one.element(), one.ticket(), one.consumer(), one.life(), at)));
                batch.clear();
            }
            case Diary.BEGIN -> {
                begun = true;
                begunAtMillis = Long.parseLong(words[1]);
            }
            case Diary.JOINED -> joined = true;
            case Diary.END, Diary.LEFT -> over = true;
            default -> throw new IllegalArgumentException(path + " has a line that no trainer writes: " + line);
        }
    }
}
