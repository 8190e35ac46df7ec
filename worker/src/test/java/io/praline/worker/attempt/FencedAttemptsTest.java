package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.ClosedLane;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.ConsumerLane;
import io.praline.schema.FactsConfirmed;
import io.praline.schema.FenceAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.ServeConsumers;
import io.praline.schema.WorkerHeartbeat;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.Outboxes;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.WorkerReporter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a worker tells of attempts that it was told to stop, and not to forget. */
class FencedAttemptsTest {
    private static final AttemptKey KEY = new AttemptKey("j", 0, 0);
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final List<WorkerHeartbeat> beats = new ArrayList<>();
    private final WorkerReporter reporter =
            new WorkerReporter("p", FencedAttemptsTest::self, beat -> beats.add((WorkerHeartbeat) beat.getBody()));
    private final Outboxes delivery = new Outboxes();
    private final Attempts attempts = new Attempts(
            delivery,
            new Surroundings(
                    "w1",
                    new TaskShare(2, 0),
                    digest -> {
                        throw new IllegalStateException("nobody runs it");
                    },
                    Runnable::run,
                    () -> {}),
            reporter,
            new Attempts.Aside(plan -> {}, profile -> {}, variant -> {}, targets -> {}),
            run -> {},
            1_000);

    private static WorkerHeartbeat.Builder self() {
        return WorkerHeartbeat.newBuilder()
                .setWorker("w1")
                .setIncarnation("i")
                .setHost("h")
                .setAddresses(List.of())
                .setSlots(1)
                .setCores(1)
                .setMemoryBytes(0)
                .setLoad(0)
                .setLocal(false)
                .setServesJob("");
    }

    private void start() {
        attempts.start(Starts.of(Guarantee.EXACTLY_ONCE)
                .setMembership(1)
                .setLanes(List.of(new ConsumerLane(0, 3, true)))
                .build());
    }

    private void fence(boolean keepSent) {
        attempts.fence(new FenceAttempt(KEY.job(), KEY.epoch(), KEY.attempt(), "lost", keepSent));
    }

    private void consumerGoes() {
        attempts.serve(
                new ServeConsumers(KEY.job(), KEY.epoch(), KEY.attempt(), 2, List.of(new ConsumerLane(0, 3, false))));
    }

    private List<AttemptProgress> told() throws InterruptedException {
        reporter.send(false);
        return beats.get(beats.size() - 1).getAttempts();
    }

    @Test
    void itIsListedAsFencedAndTellsOfLanesThatCloseUntilItIsForgotten() throws InterruptedException {
        start();
        assertThat(told()).extracting(AttemptProgress::getFenced).containsExactly(false);

        fence(true);
        AttemptProgress fenced = told().get(0);
        assertThat(fenced.getFenced()).isTrue();
        assertThat(fenced.getPhase()).isEqualTo(AttemptPhase.ENDED);
        assertThat(fenced.getClosedLanes()).isEmpty();
        assertThat(attempts.all()).isEmpty();
        assertThat(reporter.allTold()).isTrue();

        consumerGoes();
        AttemptProgress closed = told().get(0);
        assertThat(closed.getMembership()).isEqualTo(2);
        assertThat(closed.getFacts()).isEqualTo(1);
        assertThat(closed.getClosedLanes()).containsExactly(new ClosedLane(0, 3, NONE, NONE, true));
        attempts.confirm(new ConfirmFacts(List.of(new FactsConfirmed(KEY.job(), KEY.epoch(), KEY.attempt(), 1))));
        assertThat(told().get(0).getClosedLanes()).isEmpty();

        fence(true);
        assertThat(told()).hasSize(1);
        fence(false);
        assertThat(told()).isEmpty();
        assertThat(attempts.remembered()).isZero();
        start();
        assertThat(told()).isEmpty();
    }

    // an older dispatcher asks for nothing
    @Test
    void whereNothingIsToBeKeptItIsListedNoMore() throws InterruptedException {
        start();
        fence(false);
        assertThat(told()).isEmpty();
        consumerGoes();
        assertThat(told()).isEmpty();
    }

    // facts are numbered without a gap; of those before the fence nothing else is wanted any more
    @Test
    void whatWasNotConfirmedBeforeIsToldAsFarAsItIsOfLanes() throws InterruptedException {
        start();
        AttemptReport report = attempts.all().get(0).report();
        report.opened(5, 100);
        assertThat(told().get(0).getOpened()).hasSize(1);
        consumerGoes();
        assertThat(told().get(0).getFacts()).isEqualTo(2);
        report.opened(6, 100);

        fence(true);
        report.opened(7, 100);
        assertThat(told().get(0).getFacts()).isZero();
        List<AttemptProgress> again = new ArrayList<>();
        long sixSeconds = System.nanoTime() + 6_000_000_000L;
        again.add(report.take(1_000, sixSeconds));
        again.add(report.take(1_000, sixSeconds));
        assertThat(again).extracting(AttemptProgress::getFacts).containsExactly(1, 2);
        assertThat(again).allSatisfy(each -> assertThat(each.getOpened()).isEmpty());
        assertThat(again.get(1).getClosedLanes()).containsExactly(new ClosedLane(0, 3, NONE, NONE, true));
        assertThat(report.take(1_000, sixSeconds).getFacts()).isZero();
    }

    @Test
    void theOldestGoWhereThereAreTooMany() {
        FencedAttempts two = new FencedAttempts(reporter, 2, 1 << 20);
        for (int attempt = 0; attempt < 3; attempt++) {
            keep(two, attempt);
        }
        assertThat(two.size()).isEqualTo(2);
        assertThat(two.report(new AttemptKey("j", 1, 0))).isEmpty();
        assertThat(two.report(new AttemptKey("j", 1, 2))).isPresent();
    }

    @Test
    void noMoreThanAFewBytesAreKept() {
        FencedAttempts none = new FencedAttempts(reporter, 2, 0);
        keep(none, 0);
        assertThat(none.size()).isZero();
    }

    private void keep(FencedAttempts into, int attempt) {
        AttemptKey key = new AttemptKey("j", 1, attempt);
        Outbox outbox = delivery.open(key, Membership.of(1), 1_000);
        into.keep(new AttemptReport(key, new FencedAttempts.Sent(outbox), () -> {}), outbox);
    }
}
