package io.praline.deploy.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.CacheStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptViewTest {
    private static CacheStatus kept(String tenant, long lastUse) {
        return new CacheStatus(
                "default",
                tenant,
                "0123456789abcdef",
                "what comes out of map in train",
                40L,
                12_345_678L,
                98.76,
                lastUse,
                true,
                List.of("s1"));
    }

    @Test
    void aGroupIsALineForPeople() {
        assertThat(new KeptView(kept("default", 1_700_000_000_999L)).row().split(" {2,}"))
                .containsExactly(
                        "0123456789ab",
                        "40",
                        "12.3",
                        "98.8",
                        "2023-11-14T22:13:20Z",
                        "yes",
                        "what comes out of map in train");
        assertThat(new KeptView(kept("vision", 0)).row()).contains("never").endsWith("in train, of vision");
        assertThat(KeptView.header().split(" {2,}"))
                .containsExactly("prefix", "entries", "MB", "s saved", "last use", "pinned", "steps");
    }

    @Test
    void andAnObjectForPrograms() {
        assertThat(new KeptView(kept("default", 5)).object())
                .containsEntry("prefix", "0123456789abcdef")
                .containsEntry("steps", "what comes out of map in train")
                .containsEntry("entries", 40L)
                .containsEntry("bytes", 12_345_678L)
                .containsEntry("secondsSaved", 98.76)
                .containsEntry("lastUse", 5L)
                .containsEntry("pinned", true);
    }
}
