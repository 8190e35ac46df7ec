package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.turn.progress.LastBeat.Entries;
import org.junit.jupiter.api.Test;

class EntriesFoundTest {
    private static final Entries NOTHING = new Entries(0, 0, 0);

    private final EntriesFound found = new EntriesFound();

    private double share(double told) {
        return found.share("abc", told, 1000, 10);
    }

    // of 1,000 records an epoch 100 are enough to tell
    @Test
    void whereManyAreThereAndNoneIsFoundTheyAreOfSomethingElse() {
        found.told("abc", NOTHING, new Entries(99, 0, 0));
        assertThat(share(1)).isEqualTo(1);
        found.told("abc", NOTHING, new Entries(1, 0, 0));
        assertThat(share(1)).isZero();
        assertThat(found.share("other", 1, 1000, 10)).isEqualTo(1);
        assertThat(found.share("abc", 1, 0, 10)).isEqualTo(1);
    }

    // 50 of 100 elements came from entries, and 4 of 10 splits have got one since
    @Test
    void whatItsOwnAttemptsMakeIsThere() {
        found.told("abc", NOTHING, new Entries(100, 10, 0));
        assertThat(share(1)).isEqualTo(0.1);
        found.told("abc", new Entries(100, 10, 0), new Entries(100, 50, 4));
        assertThat(share(1)).isEqualTo(1);
        assertThat(share(0.7)).isEqualTo(0.7);
    }

    @Test
    void anotherPointIsLookedForAnew() {
        found.told("abc", NOTHING, new Entries(500, 0, 0));
        found.told("def", NOTHING, new Entries(500, 500, 0));
        assertThat(share(1)).isEqualTo(1);
        assertThat(found.share("def", 1, 1000, 10)).isEqualTo(1);
    }
}
