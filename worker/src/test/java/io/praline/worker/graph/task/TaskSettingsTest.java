package io.praline.worker.graph.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.chance.DrawKeys;
import io.praline.worker.graph.source.opening.ReadStaged;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskSettingsTest {
    private static final TaskSettings LEAST = TaskSettings.of(3);

    @Test
    void theLeastIsAskedFor() {
        assertThat(LEAST)
                .isEqualTo(new TaskSettings(
                        false,
                        false,
                        new DrawKeys(0, 0, 0),
                        3,
                        0,
                        false,
                        false,
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        true));
    }

    @Test
    void eachThatIsAskedForComesToTheOthers() {
        TaskSettings.CacheAt point = new TaskSettings.CacheAt("map", true);
        ReadStaged.Renaming renaming = new ReadStaged.Renaming("a", "b", "c", "d");

        assertThat(LEAST.withTracked(true)
                        .withCounted(true)
                        .withSeed(7)
                        .withEpoch(8)
                        .withAttempt(9)
                        .withThreads(4)
                        .withRamBytes(10)
                        .withPack(true)
                        .withSkipBad(true)
                        .withCache(Optional.of(point))
                        .withProfile(true)
                        .withRenaming(Optional.of(renaming))
                        .withSideBySide(false))
                .isEqualTo(new TaskSettings(
                        true,
                        true,
                        new DrawKeys(7, 8, 9),
                        4,
                        10,
                        true,
                        true,
                        Optional.of(point),
                        true,
                        Optional.of(renaming),
                        false));
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> TaskSettings.of(0)).hasMessage("threads must be positive, is 0");
        assertThatThrownBy(() -> LEAST.withEpoch(-1)).hasMessage("epoch must not be negative, is -1");
        assertThatThrownBy(() -> LEAST.withRamBytes(-1)).hasMessage("ramBytes must not be negative, is -1");
    }
}
