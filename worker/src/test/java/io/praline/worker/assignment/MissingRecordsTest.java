package io.praline.worker.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MissingRecordsTest {
    private static List<Long> range(long until) {
        return LongStream.range(0, until).boxed().toList();
    }

    /** Fails on some records, with them the others that are run with them. */
    private static MissingRecords.Trial failingOn(Set<Long> bad) {
        return new MissingRecords.Trial() {
            @Override
            public Optional<String> failure(List<Long> records) {
                return Collections.disjoint(records, bad) ? Optional.empty() : Optional.of("bad");
            }

            @Override
            public boolean failsInFullBatches(long record) {
                return true;
            }
        };
    }

    @Property
    void theBadOnesAreFoundAndAllOthersPass(
            @ForAll @Size(max = 40) Set<@LongRange(min = 0, max = 99) Long> missing,
            @ForAll @Size(max = 10) Set<@LongRange(min = 0, max = 99) Long> bad) {
        List<Long> records = missing.stream().sorted().toList();
        MissingRecords.Found found = new MissingRecords(failingOn(bad), new AtomicInteger(1_000)).among(records, true);
        Map<Long, String> failed = new TreeMap<>();
        records.stream().filter(bad::contains).forEach(record -> failed.put(record, "bad"));
        assertThat(found)
                .isEqualTo(new MissingRecords.Found(
                        failed,
                        records.stream().filter(record -> !bad.contains(record)).toList(),
                        List.of()));
    }

    // a batch of 1,024, of which one is bad: nobody wants to run them one by one
    @Test
    void oneOfManyIsFoundInAFewTries() {
        AtomicInteger tries = new AtomicInteger(200);
        MissingRecords.Found found = new MissingRecords(failingOn(Set.of(700L)), tries).among(range(1_024), true);
        assertThat(found.failed()).isEqualTo(Map.of(700L, "bad"));
        assertThat(found.passed()).hasSize(1_023);
        assertThat(200 - tries.get()).isLessThanOrEqualTo(1 + 11 + 1 + 2);
    }

    // where something else leaves elements out without a word those that pass were lost by it
    @Test
    void whatIsNotLostTogetherIsTriedOneByOne() {
        List<List<Long>> tried = new ArrayList<>();
        MissingRecords.Trial trial = new MissingRecords.Trial() {
            @Override
            public Optional<String> failure(List<Long> records) {
                tried.add(List.copyOf(records));
                return records.contains(2L) ? Optional.of("bad") : Optional.empty();
            }

            @Override
            public boolean failsInFullBatches(long record) {
                return true;
            }
        };
        MissingRecords.Found found = new MissingRecords(trial, new AtomicInteger(200)).among(range(4), false);
        assertThat(found).isEqualTo(new MissingRecords.Found(Map.of(2L, "bad"), List.of(0L, 1L, 3L), List.of()));
        assertThat(tried).containsExactly(List.of(0L), List.of(1L), List.of(2L), List.of(3L));
    }

    @Test
    void whatFailsOnlyInBatchesThatAreNotFullPasses() {
        MissingRecords.Trial trial = new MissingRecords.Trial() {
            @Override
            public Optional<String> failure(List<Long> records) {
                return Optional.of("a batch of " + records.size());
            }

            @Override
            public boolean failsInFullBatches(long record) {
                return false;
            }
        };
        assertThat(new MissingRecords(trial, new AtomicInteger(200)).among(range(3), true))
                .isEqualTo(new MissingRecords.Found(Map.of(), range(3), List.of()));
    }

    @Test
    void whatIsLeftWhenNothingMoreIsTriedIsSaid() {
        Set<Long> all = range(5).stream().collect(Collectors.toSet());
        MissingRecords.Found found = new MissingRecords(failingOn(all), new AtomicInteger(3)).among(range(5), true);
        assertThat(found)
                .isEqualTo(
                        new MissingRecords.Found(Map.of(0L, "bad", 1L, "bad", 2L, "bad"), List.of(), List.of(3L, 4L)));
    }
}
