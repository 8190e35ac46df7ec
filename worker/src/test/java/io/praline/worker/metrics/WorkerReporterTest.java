package io.praline.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.OpenedSplit;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerReporterTest {
    private final BlockingQueue<WorkerHeartbeat> sent = new LinkedBlockingQueue<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile int room = Integer.MAX_VALUE;
    private final WorkerReporter reporter = reporter(System::nanoTime);

    private WorkerReporter reporter(LongSupplier nanoTime) {
        return new WorkerReporter(
                "p",
                () -> WorkerHeartbeat.newBuilder()
                        .setWorker("w")
                        .setIncarnation("i")
                        .setHost("h")
                        .setAddresses(List.of("tcp://h:1"))
                        .setSlots(1)
                        .setCores(1)
                        .setMemoryBytes(0)
                        .setLoad(0)
                        .setLocal(false),
                this::send,
                nanoTime);
    }

    private void send(WorkerEvent beat) throws IOException {
        int bytes = bytes((WorkerHeartbeat) beat.getBody());
        if (bytes > room) {
            throw new IOException("refused", new RecordTooLargeException(bytes + " bytes"));
        }
        if (failures.getAndDecrement() > 0) {
            throw new IOException("not now");
        }
        sent.add((WorkerHeartbeat) beat.getBody());
    }

    /** About as many as it has on the log. */
    private static int bytes(WorkerHeartbeat beat) {
        return beat.toString().length();
    }

    private WorkerHeartbeat next() throws InterruptedException {
        WorkerHeartbeat beat = sent.poll(90, TimeUnit.SECONDS);
        assertThat(beat).isNotNull();
        return beat;
    }

    private static AttemptReport report(Runnable urgent) {
        return report(0, urgent);
    }

    private static AttemptReport report(int attempt, Runnable urgent) {
        return new AttemptReport(new AttemptKey("j", 0, attempt), new NoNumbers(), urgent);
    }

    @AfterEach
    void close() {
        reporter.close();
    }

    @Test
    void anEndIsToldAtOnceAndTheAttemptListedUntilItIsFenced() throws InterruptedException {
        reporter.start();
        next();
        AttemptReport report = report(reporter::urgent);
        reporter.add(report);
        report.ended(new AttemptEnd(List.of(), ByteBuffer.allocate(0)));
        WorkerHeartbeat beat = next();
        while (beat.getAttempts().isEmpty()
                || beat.getAttempts().get(0).getEnd().isEmpty()) {
            beat = next();
        }
        assertThat(beat.getAttempts().get(0).getPhase()).isEqualTo(AttemptPhase.ENDED);
        assertThat(beat.getAttempts().get(0).getFacts()).isEqualTo(1);
        assertThat(reporter.allTold()).isTrue();
        report.confirmed(1, System.nanoTime());
        AttemptProgress listed = next().getAttempts().get(0);
        assertThat(listed.getPhase()).isEqualTo(AttemptPhase.ENDED);
        assertThat(listed.getFacts()).isZero();
        reporter.remove(report.key());
        while (!beat.getAttempts().isEmpty()) {
            beat = next();
        }
    }

    @Test
    void whatCouldNotBeSentIsToldByTheNextBeat() throws InterruptedException {
        AttemptReport report = report(reporter::urgent);
        report.opened(3, 5);
        reporter.add(report);
        failures.set(2);
        reporter.start();
        assertThat(next().getAttempts().get(0).getOpened()).hasSize(1);
    }

    // what is for people would never fit, and both attempts' openings not together: 300 of them take about 13,000. No
    // time
    // passes: a second for each beat would be as long as silence may last
    @Test
    void aBeatThatIsTooLargeIsToldInSmallerOnesWithoutDetails() throws InterruptedException {
        room = 20_000;
        AttemptReport first = report(0, reporter::urgent);
        AttemptReport second = report(1, reporter::urgent);
        for (int split = 0; split < 300; split++) {
            first.opened(split, 5);
            second.opened(split, 7);
        }
        ByteBuffer one = ByteBuffer.wrap(new byte[] {2, 1});
        second.excluded(List.of(new Exclusion("bad", 1L, one, List.of("x".repeat(30_000)))));
        second.failed(new AttemptFailure(FailureKind.FAILED, "y".repeat(30_000), 0L));
        List<AttemptProgress> told = new ArrayList<>();
        try (WorkerReporter timeless = reporter(() -> 0)) {
            timeless.add(first);
            timeless.add(second);
            timeless.start();
            while (!timeless.allTold()
                    && told.stream().allMatch(each -> each.getFailure().isEmpty())) {
                told.addAll(next().getAttempts());
            }
        }
        for (int attempt = 0; attempt < 2; attempt++) {
            int number = attempt;
            assertThat(told.stream()
                            .filter(beat -> beat.getAttempt() == number)
                            .flatMap(beat -> beat.getOpened().stream())
                            .map(OpenedSplit::getOrdinal))
                    .containsExactlyElementsOf(LongStream.range(0, 300).boxed().toList());
        }
        assertThat(told.stream().flatMap(beat -> beat.getExcluded().stream()))
                .containsExactly(new Exclusion("bad", 1L, one, List.of()));
        assertThat(told.stream().flatMap(beat -> beat.getFailure().stream()))
                .containsExactly(new AttemptFailure(FailureKind.FAILED, "y".repeat(197) + "...", 0L));
    }

    @Test
    void theLastBeatSaysThatTheWorkerLeaves() throws InterruptedException {
        reporter.start();
        assertThat(next().getLeaving()).isFalse();
        reporter.drain();
        WorkerHeartbeat draining = next();
        while (!draining.getDraining()) {
            draining = next();
        }
        assertThat(draining.getLeaving()).isFalse();
        reporter.close();
        WorkerHeartbeat last = next();
        while (!last.getLeaving()) {
            last = next();
        }
        assertThat(sent).isEmpty();
    }
}
