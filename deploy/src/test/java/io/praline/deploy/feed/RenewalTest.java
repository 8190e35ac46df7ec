package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.JobFailed;
import io.praline.client.stream.Moment;
import io.praline.schema.FailureKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewalTest {
    private static final Duration LONG = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private final BlockingQueue<Supplier<Moment>> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<Thread> asking = new LinkedBlockingQueue<>();
    private Pipe pipe;
    private Renewal renewal;

    @BeforeEach
    void opens() throws IOException {
        pipe = Pipe.open(Files.createFile(folder.resolve("commands")), folder.resolve("events"));
        renewal = new Renewal("j", this::lease, pipe);
    }

    @AfterEach
    void ends() {
        pipe.close();
    }

    /** Until a test says what is known. */
    private Moment lease() {
        asking.add(Thread.currentThread());
        try {
            return answers.take().get();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    private Thread asks() throws InterruptedException {
        Thread thread = asking.poll(LONG.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(thread).as("somebody who waits for the lease").isNotNull();
        return thread;
    }

    private void answered(Supplier<Moment> answer) throws InterruptedException {
        Thread waiting = asks();
        answers.add(answer);
        waiting.join(LONG.toMillis());
    }

    /** What was told so far, in words. */
    private List<String> told() throws IOException {
        ByteBuffer all =
                ByteBuffer.wrap(Files.readAllBytes(folder.resolve("events"))).order(ByteOrder.LITTLE_ENDIAN);
        List<String> said = new ArrayList<>();
        while (all.hasRemaining()) {
            int bytes = all.getInt() - 1;
            int kind = all.get();
            if (kind == Event.LEASE.number()) {
                said.add(bytes == 0 ? "never" : "until " + all.getLong() + ", " + all.getLong());
            } else {
                byte[] text = new byte[bytes];
                all.get(text);
                said.add(kind + " " + new String(text, StandardCharsets.UTF_8));
            }
        }
        return said;
    }

    private static Supplier<Moment> fails(RuntimeException how) {
        return () -> {
            throw how;
        };
    }

    @Test
    void saysUntilWhenWhatIsOfferedMayBeTakenOnceThatIsKnown() throws Exception {
        renewal.asked();
        Thread waiting = asks();
        assertThat(told()).isEmpty();
        answers.add(() -> new Moment(7, 8));
        waiting.join(LONG.toMillis());
        assertThat(told()).containsExactly("until 7, 8");
    }

    // Ctrl-C ended the question: it comes again, and there is one answer to both
    @Test
    void twoQuestionsHaveOneAnswerAndOneBehindThatHasAnother() throws Exception {
        renewal.asked();
        renewal.asked();
        answered(() -> new Moment(7, 8));
        assertThat(asking).isEmpty();

        renewal.asked();
        answered(() -> new Moment(9, 10));
        assertThat(told()).containsExactly("until 7, 8", "until 9, 10");
    }

    @Test
    void saysThatItIsNeverToBeTakenWhereTheJobIsCompleteWithoutIt() throws Exception {
        renewal.asked();
        answered(fails(new NoSuchElementException("complete")));
        assertThat(told()).containsExactly("never");
    }

    @Test
    void saysWhyTheFeedIsOver() throws Exception {
        renewal.asked();
        answered(fails(new JobFailed("j", FailureKind.NONE, "another process took its place")));
        assertThat(told()).hasSize(1);
        assertThat(told().get(0)).startsWith("7 ").contains("another process took its place");
    }

    @Test
    void saysNothingOfWhatEndsByTheFeedsEndAndAsksNoMore() throws Exception {
        renewal.asked();
        Thread waiting = asks();
        renewal.close();
        answers.add(fails(new IllegalStateException("the stream of job j is closed")));
        waiting.join(LONG.toMillis());
        renewal.asked();
        assertThat(asking).isEmpty();
        assertThat(told()).isEmpty();
    }
}
