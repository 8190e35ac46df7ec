package io.praline.dispatcher.turn.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.row.BufferedRows;
import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.schema.CacheStatus;
import io.praline.schema.CacheTargets;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.PoolStatus;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerCommand;
import java.util.List;
import org.junit.jupiter.api.Test;

class EffectTest {
    private final Effect effect = new Effect(new BufferedRows(new MapRows()));

    @Test
    void whatNobodyWaitsForIsNotUrgent() {
        effect.ignored(Ignored.DUPLICATE);
        effect.journal(new JournalEntry());
        effect.status(new JobStatus(), false);
        effect.broken("job", "policy", new IllegalStateException());
        effect.commandAhead(new WorkerCommand());

        assertThat(effect.urgent()).isFalse();
    }

    @Test
    void aCommandATargetAndAStatusThatSomebodyWaitsForAreUrgentUntilTheyAreDropped() {
        effect.command(new WorkerCommand());
        assertThat(effect.urgent()).isTrue();
        effect.clear();
        assertThat(effect.urgent()).isFalse();

        effect.target(new ScalingTarget());
        assertThat(effect.urgent()).isTrue();
        effect.clear();

        effect.status(new JobStatus(), true);
        effect.status(new JobStatus(), false);
        assertThat(effect.urgent()).isTrue();
    }

    @Test
    void confirmationsAndSharesOfStoresAreWaitedForByNobody() {
        WorkerCommand confirmed = new WorkerCommand("w1", "i1", new ConfirmFacts());
        effect.command(confirmed);
        WorkerCommand shares = new WorkerCommand("w1", "i1", new CacheTargets());
        effect.command(shares);

        assertThat(effect.urgent()).isFalse();
        assertThat(effect.commands()).containsExactly(confirmed, shares);
    }

    private List<List<?>> all() {
        return List.of(
                effect.commands(),
                effect.statuses(),
                effect.forgotten(),
                effect.nobodys(),
                effect.pools(),
                effect.poolsGone(),
                effect.entries(),
                effect.entriesGone(),
                effect.graphsGone(),
                effect.ledgerPages(),
                effect.ledgerPagesGone(),
                effect.journal(),
                effect.targets(),
                effect.broken(),
                effect.setAside(),
                effect.ignored());
    }

    @Test
    void allThatAnEventBringsAboutIsKeptUntilItIsDropped() {
        IllegalStateException why = new IllegalStateException();
        effect.commandAhead(new WorkerCommand());
        effect.status(new JobStatus(), false);
        effect.forgotten("job");
        effect.nobodys("subject");
        effect.pool(new PoolStatus());
        effect.poolGone("pool");
        effect.entries(new CacheStatus());
        effect.entriesGone("entries");
        effect.graphGone("graph");
        effect.ledgerPage(new LedgerPage());
        effect.ledgerPageGone("page");
        effect.journal(new JournalEntry());
        effect.target(new ScalingTarget());
        effect.broken("job", "policy", why);
        effect.setAside("row", why);
        effect.ignored(Ignored.DUPLICATE);
        assertThat(all())
                .isEqualTo(List.of(
                        List.of(new WorkerCommand()),
                        List.of(new JobStatus()),
                        List.of("job"),
                        List.of("subject"),
                        List.of(new PoolStatus()),
                        List.of("pool"),
                        List.of(new CacheStatus()),
                        List.of("entries"),
                        List.of("graph"),
                        List.of(new LedgerPage()),
                        List.of("page"),
                        List.of(new JournalEntry()),
                        List.of(new ScalingTarget()),
                        List.of(new Effect.Broken("job", "policy", why)),
                        List.of(new Effect.SetAside("row", why)),
                        List.of(Ignored.DUPLICATE)));

        effect.clear();
        assertThat(all()).allMatch(List::isEmpty);
    }

    @Test
    void rowsAreWrittenWhereNoneIsTooLarge() {
        MapRows store = new MapRows();
        BufferedRows buffered = new BufferedRows(store);
        Effect rows = new Effect(buffered);
        byte[] key = RowKey.of(RowKey.JOB, "job");
        buffered.put(key, new byte[5]);
        assertThatThrownBy(() -> rows.writeRows(4))
                .isInstanceOf(JobFault.class)
                .hasMessageEndingWith("a row of it takes 5 bytes, more than 4");
        assertThat(store.size()).isZero();

        rows.writeRows(5);
        assertThat(store.size()).isEqualTo(1);
        buffered.put(key, new byte[3]);
        rows.clear();
        assertThat(buffered.get(key)).hasSize(5);
    }
}
