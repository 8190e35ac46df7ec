package io.praline.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.JobRow.Planning;
import io.praline.dispatcher.ledger.JobRow.Standing;
import io.praline.dispatcher.ledger.epoch.Elements;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.epoch.SuspectRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.policy.PolicyState;
import io.praline.policy.caching.course.CacheState;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.splits.SplitOrder;
import io.praline.schema.JobState;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.topics.Agreements;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000_000);
    private static final Place PLACE = new Place("w1", "i1", "h1", List.of("tcp://h1:1"), false);
    private static final byte[] UNREADABLE = {-1};

    private final MapRows rows = new MapRows();
    private final Ledger ledger = new Ledger(rows);
    private final List<String> taken = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();

    private void unreadable(String what, RuntimeException why) {
        unreadable.add(what);
    }

    @Test
    void rowsOfPoolsThatCannotBeReadAreToldOfAndGo() {
        ledger.saveWorker("a", "w1", new WorkerRow(PLACE, 1, false, Optional.empty(), AT, List.of()));
        ledger.saveTenant("a", "t1", TenantRow.NEW);
        ledger.savePool("a", PoolRow.NEW);
        ledger.saveGroup("a", new GroupName("t/1", "p"), GroupRow.NEW);
        ledger.savePast("j1", new PastRow(AT, Optional.empty(), "a", List.of()));
        rows.put(RowKey.of(RowKey.WORKER, "b", "w1"), UNREADABLE);
        rows.put(RowKey.of(RowKey.TENANT, "b", "t1"), UNREADABLE);
        rows.put(RowKey.of(RowKey.POOL, "b"), UNREADABLE);
        rows.put(RowKey.of(RowKey.GROUP, "b", "t1/p"), UNREADABLE);
        rows.put(RowKey.of(RowKey.PAST, "j2"), UNREADABLE);

        readAll();
        assertThat(taken).containsExactly("a/w1 of " + PLACE, "a/t1", "a", "a: t/1/p", "j1 of a");
        assertThat(unreadable)
                .containsExactly(
                        "the row of a worker of pool b",
                        "the row of a tenant of pool b",
                        "the row of pool b",
                        "the row of a group of entries of pool b",
                        "the row of the past job j2");

        taken.clear();
        unreadable.clear();
        readAll();
        assertThat(taken).hasSize(5);
        assertThat(unreadable).isEmpty();
    }

    private void readAll() {
        ledger.eachWorker(
                (pool, worker, row) -> taken.add(pool + "/" + worker + " of " + row.place()), this::unreadable);
        ledger.eachTenant((pool, tenant, row) -> taken.add(pool + "/" + tenant), this::unreadable);
        ledger.eachPool((pool, row) -> taken.add(pool), this::unreadable);
        ledger.eachGroup((pool, group, row) -> taken.add(pool + ": " + group), this::unreadable);
        ledger.eachPast((job, row) -> taken.add(job + " of " + row.pool()), this::unreadable);
    }

    // whoever takes a row may throw, which is not the row's fault
    @Test
    void aRowIsThereStillWhereItsTakerThrows() {
        ledger.savePool("a", PoolRow.NEW);

        assertThatThrownBy(() -> ledger.eachPool(
                        (pool, row) -> {
                            throw new IllegalStateException("no room");
                        },
                        this::unreadable))
                .hasMessage("no room");
        assertThat(unreadable).isEmpty();
        ledger.eachPool((pool, row) -> taken.add(pool));
        assertThat(taken).containsExactly("a");
    }

    @Test
    void ofPoolsWhatIsDroppedIsGone() {
        ledger.saveWorker("a", "w1", new WorkerRow(PLACE, 1, false, Optional.empty(), AT, List.of()));
        ledger.saveTenant("a", "t1", TenantRow.NEW);
        ledger.savePool("a", PoolRow.NEW);
        ledger.saveGroup("a", new GroupName("t1", "p"), GroupRow.NEW);
        ledger.savePast("j1", new PastRow(AT, Optional.empty(), "a", List.of()));
        ledger.dropWorker("a", "w1");
        ledger.dropTenant("a", "t1");
        ledger.dropPool("a");
        ledger.dropGroup("a", new GroupName("t1", "p"));
        ledger.dropPast("j1");

        assertThat(rows.size()).isZero();
    }

    /** An open job with a row of each kind, of which epoch 0 has closed, open, returned and suspicious splits. */
    private void fill(String job) {
        JobRow row = new JobRow(AT, Standing.at(JobState.RUNNING, AT));
        row.planning(new Planning(1, Optional.empty(), 1, 3, 1, true));
        ledger.save(job, row);
        ledger.saveSubmission(job, new byte[] {1});
        ledger.savePlan(job, new byte[] {2});
        ledger.savePage(
                job,
                0,
                PlanPage.encode(
                        IntStream.range(0, 3).mapToObj(LedgerTest::range).toList()));
        ledger.saveKnown(job, PolicyState.UNKNOWN);
        ledger.saveShadow(job, PolicyState.UNKNOWN);
        ledger.saveBadRecords(job, List.of("a line"));
        ledger.saveOrder(job, new OrderRow(OrderState.waiting(AT), Optional.empty(), List.of()));
        ledger.saveCache(job, new CacheRow(CacheState.waiting(AT), Optional.empty(), 1, 0, false));
        ledger.saveConsumer(job, 0, ConsumerRow.expected(0, AT));
        for (int number : new int[] {0, 1}) {
            EpochLedger epoch = ledger.openEpoch(job, number, true);
            int attempt = epoch.start(PLACE);
            SplitOrder order = new SplitOrder(3, 1, number, false);
            List<Long> all = IntStream.range(0, 3)
                    .mapToObj(each -> epoch.takeNext(order, ordinal -> 0))
                    .toList();
            epoch.assign(attempt, all, ordinal -> OptionalLong.of(ordinal == 0 ? 0 : 10));
            epoch.loneSplits().crashed(2, new SuspectRow.Crash(false, true, 0, Instant.EPOCH));
            int another = epoch.start(PLACE);
            epoch.settle(attempt);
            epoch.assign(another, List.of(1L), ordinal -> OptionalLong.empty());
            epoch.claims().consume(another, 0, elements(1));
            epoch.save();
        }
    }

    private static Elements elements(long ordinal) {
        long[] tickets = IntStream.range(0, 10)
                .mapToLong(record -> Ticket.of(ordinal, record))
                .toArray();
        return Elements.of(ByteBuffer.wrap(TicketRuns.encode(tickets)));
    }

    private static Split range(int number) {
        return Split.newBuilder()
                .setKind(SplitKind.INDEXES)
                .setSource(0)
                .setBytes(0)
                .setPaths(List.of())
                .setVersions(List.of())
                .setFrom(10L * number)
                .setUntil(10L * number + 10)
                .setStep(0)
                .build();
    }

    /** The kinds of the job's rows, in order. */
    private String kinds(String job) {
        StringBuilder kinds = new StringBuilder();
        rows.each(new byte[0], (key, value) -> {
            if (RowKey.owner(key).equals(job)) {
                kinds.append((char) key[0]);
            }
        });
        return kinds.toString();
    }

    @Test
    void ofAnEndedJobTheCountsStay() {
        fill("job");
        fill("job2");
        assertThat(kinds("job")).isEqualTo("aabbcceeghijkooprrsuxyyz");

        ledger.dropDetails("job");
        assertThat(kinds("job")).isEqualTo("eeijpsuxz");
        assertThat(kinds("job2")).isEqualTo("aabbcceeghijkooprrsuxyyz");
    }

    @Test
    void ofACompleteEpochTheCountsStay() {
        fill("job");
        ledger.dropEpochDetails("job", 0);

        assertThat(kinds("job")).isEqualTo("aabbceeghijkoprsuxyz");
        assertThat(ledger.epochs("job", true)).containsOnlyKeys(0, 1);
        assertThat(ledger.epochs("job", true).get(1).returned(9)).containsExactly(2L);
        assertThat(ledger.epochs("job", true).get(0).returned(9)).isEmpty();
    }

    @Test
    void ofAForgottenJobNothingStays() {
        fill("job");
        fill("job2");
        int others = rows.keys("job2").size();
        assertThat(ledger.jobs()).containsExactly("job", "job2");
        ledger.dropJob("job");

        assertThat(rows.size()).isEqualTo(others);
        assertThat(ledger.jobs()).containsExactly("job2");
        assertThat(ledger.split("job2", 1)).isEqualTo(range(1));
        assertThatThrownBy(() -> ledger.split("job", 1)).hasMessage("job job has no page for split 1");
    }

    @Test
    void aSplitIsFoundOnItsPageAsThatIsNow() {
        int page = Agreements.SPLITS_A_PAGE;
        ledger.savePage("job", 0, PlanPage.encode(List.of(range(0))));
        ledger.savePage("job", 1, PlanPage.encode(List.of(range(1), range(2))));

        assertThat(ledger.split("job", 0)).isEqualTo(range(0));
        assertThat(ledger.split("job", page)).isEqualTo(range(1));
        assertThat(ledger.split("job", page + 1)).isEqualTo(range(2));

        ledger.savePage("job", 1, PlanPage.encode(List.of(range(5), range(6))));
        assertThat(ledger.split("job", page + 1)).isEqualTo(range(6));
        ledger.dropPages("job");
        assertThatThrownBy(() -> ledger.split("job", 0)).hasMessage("job job has no page for split 0");
    }

    @Test
    void theFormatIsWrittenOnce() {
        assertThat(ledger.format()).isEqualTo(1);
        ledger.saveFormat();
        long written = rows.writtenBytes();
        ledger.saveFormat();

        assertThat(rows.writtenBytes()).isEqualTo(written).isPositive();
        rows.put(RowKey.alone(RowKey.FORMAT), new byte[] {7});
        assertThat(ledger.format()).isEqualTo(7);
        ledger.saveFormat();
        assertThat(ledger.format()).isEqualTo(Ledger.FORMAT);
    }

    @Test
    void whatRemainsOfAPlanIsToldAlsoWhereRowsCannotBeRead() {
        fill("job");
        EpochLedger epoch = ledger.openEpoch("job", 1, true);
        epoch.setComplete();
        epoch.save();
        assertThat(RemainingPages.of(rows, "job")).isEqualTo(new RemainingPages(1, List.of(0)));

        rows.put(RowKey.of(RowKey.EPOCH, "job", 1), UNREADABLE);
        assertThat(RemainingPages.of(rows, "job")).isEqualTo(new RemainingPages(1, List.of(0, 1)));

        rows.put(RowKey.of(RowKey.JOB, "job"), UNREADABLE);
        ledger.savePage("job", 4, PlanPage.encode(List.of(range(0))));
        assertThat(RemainingPages.of(rows, "job")).isEqualTo(new RemainingPages(5, List.of(0, 1)));

        JobRow large = new JobRow(AT, Standing.at(JobState.RUNNING, AT));
        large.planning(new Planning(1, Optional.empty(), 2_000_000, 3, 1, true));
        ledger.save("job", large);
        assertThat(RemainingPages.of(rows, "job").pages()).isEqualTo(10_000);
    }
}
