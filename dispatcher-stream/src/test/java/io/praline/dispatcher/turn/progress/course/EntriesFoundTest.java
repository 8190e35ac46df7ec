package io.praline.dispatcher.turn.progress.course;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.turn.progress.LastBeat.Entries;
import org.junit.jupiter.api.Test;

class EntriesFoundTest {
    private static final Entries NOTHING = new Entries(0, 0, 0);

    private final EntriesFound found = new EntriesFound();

    private double share(double told, long begun) {
        return found.share("abc", told, () -> begun, 100);
    }

    // of 100 splits ten more that are begun are enough to tell
    @Test
    void whereManyAreThereAndNoneIsFoundTheyAreOfSomethingElse() {
        found.told("abc", NOTHING, NOTHING);
        assertThat(share(1, 30)).isEqualTo(1);
        assertThat(share(1, 39)).isEqualTo(1);
        assertThat(share(1, 40)).isZero();
        assertThat(found.share("other", 1, () -> 40, 100)).isEqualTo(1);
    }

    // one of ten was found; then 20 of 40, and 40 of 100 have got one since
    @Test
    void whatItsOwnAttemptsMakeIsThere() {
        found.told("abc", NOTHING, NOTHING);
        assertThat(share(1, 0)).isEqualTo(1);
        found.told("abc", NOTHING, new Entries(7, 1, 0));
        assertThat(share(1, 10)).isEqualTo(0.1);
        found.told("abc", new Entries(7, 1, 0), new Entries(140, 20, 40));
        assertThat(share(1, 40)).isEqualTo(1);
        assertThat(share(0.7, 40)).isEqualTo(0.7);
    }

    @Test
    void anotherPointIsLookedForAnew() {
        found.told("abc", NOTHING, NOTHING);
        assertThat(share(1, 0)).isEqualTo(1);
        found.told("def", NOTHING, NOTHING);
        assertThat(share(1, 50)).isEqualTo(1);
        assertThat(found.share("def", 1, () -> 50, 100)).isEqualTo(1);
        assertThat(found.share("def", 1, () -> 70, 100)).isZero();
    }

    // 1 and then 1 of 20 were found, and of 100 none and then 5 have got one since: 0.1 and 0.05
    @Test
    void ofEachBeatOnlyWhatIsNewInItCounts() {
        found.told("abc", NOTHING, NOTHING);
        assertThat(share(1, 0)).isEqualTo(1);
        found.told("abc", NOTHING, new Entries(7, 1, 5));
        found.told("abc", new Entries(7, 1, 5), new Entries(14, 2, 5));
        assertThat(share(1, 20)).isEqualTo(0.1 + 0.05);
    }
}
