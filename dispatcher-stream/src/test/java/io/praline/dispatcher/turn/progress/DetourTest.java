package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.pool.Division;
import io.praline.policy.pool.Worker;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DetourTest {
    private static SortedSet<String> set(String... workers) {
        return new TreeSet<>(List.of(workers));
    }

    private static Division division(Map<String, SortedSet<String>> workers) {
        return new Division(new TreeMap<>(workers));
    }

    private static Division around(
            Map<String, SortedSet<String>> taken, List<Worker> workers, Map<String, SortedSet<String>> avoided) {
        return Detour.around(division(taken), workers, avoided);
    }

    @Test
    void whoAvoidsNobodyKeepsWhatItGot() {
        Map<String, SortedSet<String>> taken = Map.of("a", set("w1"), "b", set("w1", "w2"));
        assertThat(around(taken, List.of(new Worker("w1", 2), new Worker("w2", 1)), Map.of("a", set("w2"))))
                .isEqualTo(division(taken));
    }

    @Test
    void aJobMovesToAWorkerWithAFreeSlot() {
        assertThat(around(
                        Map.of("a", set("w1")),
                        List.of(new Worker("w1", 1), new Worker("w2", 1)),
                        Map.of("a", set("w1"))))
                .isEqualTo(division(Map.of("a", set("w2"))));
    }

    @Test
    void whereNoneIsFreeItChangesPlacesWithAJobThatMayGoThere() {
        assertThat(around(
                        Map.of("a", set("w1"), "b", set("w2"), "c", set("w3")),
                        List.of(new Worker("w1", 1), new Worker("w2", 1), new Worker("w3", 1)),
                        Map.of("a", set("w1"), "b", set("w1"))))
                .isEqualTo(division(Map.of("a", set("w3"), "b", set("w2"), "c", set("w1"))));
    }

    @Test
    void whereNobodyMayGoThereItGoesWithout() {
        assertThat(around(
                        Map.of("a", set("w1", "w2"), "b", set("w2")),
                        List.of(new Worker("w1", 1), new Worker("w2", 2)),
                        Map.of("a", set("w1"), "b", set("w1"))))
                .isEqualTo(division(Map.of("a", set("w2"), "b", set("w2"))));
    }
}
