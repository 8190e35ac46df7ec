package io.praline.deploy.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.Shape;
import io.praline.identity.TicketRuns;
import io.praline.schema.Attach;
import io.praline.schema.BatchUse;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Use;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run stands on, piece by piece. */
class ChaosTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder;

    private static Schedule schedule() {
        return new Schedule(
                1, 1, 2, List.of(new JobPlan(Shape.PLAIN, 10, 1, 2, 5, 0, java.time.Duration.ZERO)), List.of());
    }

    // ---------------------------------------------------------------------------------------------------- what the log
    // has

    private static ConsumptionReport report(String incarnation, long sequence, long... acknowledged) {
        BatchUse use = BatchUse.newBuilder()
                .setEpoch(0)
                .setAttempt(0)
                .setSequence(0)
                .setElements(acknowledged.length)
                .setTickets(ByteBuffer.wrap(TicketRuns.encode(acknowledged)))
                .setUse(Use.ACKED)
                .build();
        return ConsumptionReport.newBuilder()
                .setPool("default")
                .setJob("job")
                .setConsumer(0)
                .setIncarnation(incarnation)
                .setReportSequence(sequence)
                .setBatches(List.of(use))
                .setEnded(List.of())
                .setFencesAnswered(List.of())
                .setChannelsDown(List.of())
                .setMarks(List.of())
                .build();
    }

    private static Attach attach(String incarnation) {
        return Attach.newBuilder()
                .setConsumer(0)
                .setIncarnation(incarnation)
                .setHost("host")
                .build();
    }

    // its successor may have died before it asked for the place
    @Test
    void aTrainerWhosePlaceIsTakenIsNotDeadAsLongAsItsProcessLives() {
        Set<String> dead = new HashSet<>();
        Superseded<String> superseded = new Superseded<>(process -> !dead.contains(process));
        superseded.add(Target.client(0), "first");
        superseded.add(Target.client(0), "second");
        dead.add("second");
        assertThat(superseded.anyAlive(Target.client(0))).isTrue();
        assertThat(superseded.anyAlive(Target.client(1))).isFalse();
        dead.add("first");
        assertThat(superseded.anyAlive(Target.client(0))).isFalse();
        assertThat(superseded.all()).containsExactly("first", "second");
    }

    @Test
    void anAcknowledgementBehindAGapSaysNothing() {
        OnRecord record = new OnRecord();
        record.attached(attach("a"), 100);
        record.reported(report("a", 0, 1, 2));
        record.reported(report("a", 2, 5));
        record.reported(report("a", 1, 3));
        assertThat(record.acknowledged(0, 50, 200, 0, 2)).isTrue();
        assertThat(record.acknowledged(0, 50, 200, 0, 3)).isTrue();
        assertThat(record.acknowledged(0, 50, 200, 0, 5)).isFalse();
        record.reported(report("a", 2, 5));
        assertThat(record.acknowledged(0, 50, 200, 0, 5)).isTrue();
    }

    @Test
    void anAcknowledgementIsOfTheLifeThatAttached() {
        OnRecord record = new OnRecord();
        record.attached(attach("a"), 100);
        record.attached(attach("b"), 300);
        record.reported(report("b", 0, 1));
        assertThat(record.acknowledged(0, 50, 200, 0, 1)).isFalse();
        assertThat(record.acknowledged(0, 200, Long.MAX_VALUE, 0, 1)).isTrue();
        assertThat(record.acknowledged(1, 200, Long.MAX_VALUE, 0, 1)).isFalse();
    }

    // ------------------------------------------------------------------------------------------------------- standing
    // still

    @Test
    void onlyAJobThatCouldMoveStandsStill() {
        Standstill job = new Standstill(0);
        job.look(40 * SECOND, 0, true);
        assertThat(job.nanos(40 * SECOND)).isEqualTo(40 * SECOND);
        // before its first element it starts: no gap
        assertThat(job.longestNanos()).isZero();
        job.look(41 * SECOND, 10, true);
        job.look(44 * SECOND, 10, true);
        job.look(45 * SECOND, 20, true);
        assertThat(job.longestNanos()).isEqualTo(4 * SECOND);
        job.look(60 * SECOND, 20, false);
        job.look(62 * SECOND, 20, true);
        assertThat(job.nanos(62 * SECOND)).isEqualTo(2 * SECOND);
        assertThat(job.longestNanos()).isEqualTo(4 * SECOND);
    }

    @Test
    void thereIsAWayWhereAWorkerAndATrainerMeet() {
        List<Target> trainers = List.of(Target.client(0), Target.client(1));
        Harm harm = new Harm(schedule());
        assertThat(harm.path(trainers)).isTrue();
        assertThat(harm.path(List.of())).isFalse();
        harm.down(Target.worker(0));
        harm.cut(List.of(Target.client(0), Target.worker(1)));
        assertThat(harm.path(trainers)).isTrue();
        assertThat(harm.path(List.of(Target.client(0)))).isFalse();
        harm.cut(List.of(Target.client(1), Target.BROKER));
        assertThat(harm.path(trainers)).isFalse();
        harm.heal(List.of(Target.BROKER, Target.client(1)));
        assertThat(harm.path(trainers)).isTrue();
        harm.down(Target.dispatcher(0));
        assertThat(harm.path(trainers)).isFalse();
        harm.up(Target.dispatcher(0));
        harm.down(Target.BROKER);
        assertThat(harm.path(trainers)).isFalse();
    }

    // -------------------------------------------------------------------------------------------------------------
    // gates

    @Test
    void aGatePassesNothingOnWhileItIsShut() throws IOException {
        InetAddress gated = InetAddress.getByAddress(new byte[] {127, 0, 73, 100});
        try (ServerSocket behind = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Gate gate = new Gate(gated, behind.getLocalPort());
                Socket client = new Socket(gated, behind.getLocalPort());
                Socket server = behind.accept()) {
            client.getOutputStream().write(1);
            assertThat(server.getInputStream().read()).isEqualTo(1);
            gate.shut();
            client.getOutputStream().write(2);
            server.setSoTimeout(200);
            assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            server.setSoTimeout(90_000);
            gate.open();
            assertThat(server.getInputStream().read()).isEqualTo(2);
            client.shutdownOutput();
            assertThat(server.getInputStream().read()).isEqualTo(-1);
        }
    }

    // -----------------------------------------------------------------------------------------------------------
    // results

    private static RunResult result(long seed, List<String> failures) {
        return new RunResult(
                seed,
                "[worker] 3",
                100,
                1,
                2,
                3,
                0,
                40,
                failures.isEmpty() ? 0 : 1,
                RunResult.Kills.NONE.and(Target.worker(1)).and(Target.BROKER),
                4,
                5,
                6,
                9,
                100 * seed,
                7,
                1.5,
                failures);
    }

    @Test
    void runsAreTakenUpWhereTheyStoppedAndAddedUp() throws IOException {
        Path file = folder.resolve("chaos.jsonl");
        Results before = new Results(Optional.of(file), "[worker] 3");
        before.add(result(7, List.of()));
        before.add(result(8, List.of("hang: it stood still")));
        Results after = new Results(Optional.of(file), "[worker] 3");
        assertThat(after.has(7)).isTrue();
        assertThat(after.has(9)).isFalse();
        assertThat(after.of(7, 2)).isEqualTo(List.of(result(7, List.of()), result(8, List.of("hang: it stood still"))));
        assertThat(new Results(Optional.of(file), "[client] 3").has(7)).isFalse();
        assertThat(RunResult.sum(after.of(7, 2)))
                .containsEntry("runs", 2)
                .containsEntry("elements", 200L)
                .containsEntry("hangs", 1)
                .containsEntry("cacheHits", 80L)
                .containsEntry("entriesHarmed", 18)
                .containsEntry("longestGapMs", 800L)
                .containsEntry("failures", 1)
                .containsEntry("kills", java.util.Map.of("worker", 2, "dispatcher", 0, "broker", 2, "client", 0));
        Files.writeString(file, "what is this\n");
        assertThatThrownBy(() -> new Results(Optional.of(file), "[worker] 3"))
                .hasMessageContaining("a line is no result of a run");
    }

    // a line of before entries were broken
    @Test
    void resultsOfBeforeAreRead() throws IOException {
        Path file = Files.writeString(
                folder.resolve("chaos.jsonl"),
                "{\"seed\":7,\"options\":\"[worker] 3\",\"elements\":5,\"missing\":0,\"duplicates\":0,\"possiblyTwice\":0,"
                        + "\"hangs\":0,\"kills\":{\"worker\":3,\"dispatcher\":0,\"broker\":0,\"client\":0},\"stops\":0,"
                        + "\"cuts\":0,\"comings\":0,\"longestGapMs\":1,\"restarts\":0,\"seconds\":1.5,\"failures\":[]}\n");
        assertThat(new Results(Optional.of(file), "[worker] 3").of(7, 1))
                .singleElement()
                .satisfies(result -> {
                    assertThat(result.elements()).isEqualTo(5);
                    assertThat(result.cacheHits()).isZero();
                });
    }
}
