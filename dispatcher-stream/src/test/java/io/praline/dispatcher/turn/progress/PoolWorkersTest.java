package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.WorkerRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.schema.ActuatorReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A pool's workers, and what came of its targets. */
class PoolWorkersTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private final PoolWorkers workers = new PoolWorkers();
    private final MapRows rows = new MapRows();
    private final Ledger ledger = new Ledger(rows);

    private static WorkerRow row(String id, int slots, boolean draining, Optional<String> onlyFor) {
        return new WorkerRow(
                new Place(id, "i-" + id, "h1", List.of("tcp://h1:1"), false), slots, draining, onlyFor, AT, List.of());
    }

    private static WorkerRow remote(String id, int slots) {
        return row(id, slots, false, Optional.empty());
    }

    private Map<String, WorkerRow> saved() {
        Map<String, WorkerRow> saved = new TreeMap<>();
        ledger.eachWorker((pool, worker, row) -> saved.put(worker, row), (what, why) -> {
            throw why;
        });
        return saved;
    }

    @Test
    void thoseThatTakeNewWorkOfAnyJobServe() {
        workers.put("w1", remote("w1", 4));
        workers.restore("w2", remote("w2", 2));
        workers.put("w3", row("w3", 8, true, Optional.empty()));
        workers.put("l1", row("l1", 16, false, Optional.of("job")));
        assertThat(workers.serving()).isEqualTo(2);
        assertThat(workers.slotsThatServe()).isEqualTo(6);

        workers.put("w1", row("w1", 4, true, Optional.empty()));
        workers.put("w2", remote("w2", 3));
        workers.remove("w3");
        workers.remove("w9");
        assertThat(workers.serving()).isEqualTo(1);
        assertThat(workers.slotsThatServe()).isEqualTo(3);
        assertThat(workers.all()).containsOnlyKeys("w1", "w2", "l1");
    }

    @Test
    void thoseThatServeOneJobAreFoundByIt() {
        workers.put("l1", row("l1", 1, false, Optional.of("job")));
        workers.put("l2", row("l2", 1, true, Optional.of("job")));
        workers.put("w1", remote("w1", 1));
        assertThat(workers.boundTo("job")).containsExactly("l1", "l2");
        assertThat(workers.boundTo("another")).isEmpty();
        assertThat(workers.isRemote("w1")).isTrue();
        assertThat(workers.isRemote("l1")).isFalse();

        workers.put("l1", row("l1", 1, false, Optional.of("another")));
        assertThat(workers.boundTo("job")).containsExactly("l2");
        assertThat(workers.boundTo("another")).containsExactly("l1");
        workers.remove("l2");
        assertThat(workers.boundTo("job")).isEmpty();
    }

    @Test
    void aWorkerThatChangesIsTheSameOne() {
        KnownWorker known = workers.put("w1", remote("w1", 1));
        known.beat(AT, 4);

        assertThat(workers.put("w1", remote("w1", 2))).isSameAs(known);
        assertThat(known.row()).isEqualTo(remote("w1", 2));
        assertThat(workers.all().get("w1").cores()).isEqualTo(4);
    }

    @Test
    void onlyItsVeryProcessIsAlive() {
        workers.put("w1", remote("w1", 1));

        assertThat(workers.alive(remote("w1", 1).place())).isTrue();
        assertThat(workers.alive(new Place("w1", "before", "h1", List.of(), false)))
                .isFalse();
        assertThat(workers.alive(remote("w2", 1).place())).isFalse();
    }

    @Test
    void whatChangedIsWrittenOnce() {
        workers.restore("w0", remote("w0", 1));
        workers.put("w1", remote("w1", 1));
        workers.put("w2", remote("w2", 1));
        workers.save("default", ledger);
        assertThat(saved()).containsOnlyKeys("w1", "w2").containsEntry("w1", remote("w1", 1));

        workers.remove("w1");
        assertThat(workers.isEmpty()).isFalse();
        workers.save("default", ledger);
        assertThat(saved()).containsOnlyKeys("w2");
        long written = rows.writtenBytes();
        workers.save("default", ledger);
        assertThat(rows.writtenBytes()).isEqualTo(written);
    }

    @Test
    void aPoolIsEmptyOnceTheLastRowIsGone() {
        assertThat(workers.isEmpty()).isTrue();
        workers.put("w1", remote("w1", 1));
        workers.save("default", ledger);
        assertThat(workers.isEmpty()).isFalse();
        workers.remove("w1");
        assertThat(workers.isEmpty()).isFalse();
        workers.save("default", ledger);
        assertThat(workers.isEmpty()).isTrue();
    }

    private static ActuatorReport report(int running) {
        return new ActuatorReport("default", "i1", 3, running, "", 5);
    }

    @Test
    void whatCameOfATargetIsKnownUntilItIsOld() {
        Capacities capacities = new Capacities();
        assertThat(capacities.isEmpty()).isTrue();
        assertThat(capacities.told(report(1), AT)).isTrue();
        assertThat(capacities.told(report(1), AT.plusSeconds(1))).isFalse();
        assertThat(capacities.told(report(2), AT.plusSeconds(2))).isTrue();
        assertThat(capacities.of("default")).contains(report(2));
        assertThat(capacities.of("another")).isEmpty();

        capacities.forget(AT.plusSeconds(2));
        assertThat(capacities.isEmpty()).isFalse();
        capacities.forget(AT.plusSeconds(3));
        assertThat(capacities.isEmpty()).isTrue();
        assertThat(capacities.mostHeard()).isEmpty();
        capacities.mostHeard(AT);
        assertThat(capacities.mostHeard()).contains(AT);
    }
}
