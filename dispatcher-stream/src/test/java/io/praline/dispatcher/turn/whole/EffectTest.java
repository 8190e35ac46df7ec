package io.praline.dispatcher.turn.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.row.BufferedRows;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerCommand;
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
}
