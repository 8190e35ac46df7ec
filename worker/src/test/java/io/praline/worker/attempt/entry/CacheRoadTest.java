package io.praline.worker.attempt.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.EntryMaking;
import io.praline.worker.cache.EntryRecord;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.StillGraph;
import io.praline.worker.graph.caching.CachePoint;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;

class CacheRoadTest {
    private static final CachePoint POINT = new CachePoint(0, "node", "read_0", "0".repeat(64), false, List.of());

    @TempDir
    private Path folder;

    /** Reads nothing. */
    private static final class Waiting extends StillGraph {
        private final List<Path> entries = new ArrayList<>();

        @Override
        public void enqueueEntry(FeedSplit entry, long[] dropped) {
            entries.add(Path.of(entry.paths().get(0)));
        }

        @Override
        public long entryQueueSize() {
            return entries.size();
        }
    }

    private static AssignedSplit split(RoaringBitmap skip) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        skip.serialize(new DataOutputStream(bytes));
        return new AssignedSplit(
                0L,
                Split.newBuilder()
                        .setKind(SplitKind.INTEGERS)
                        .setSource(0)
                        .setPaths(List.of())
                        .setFrom(0)
                        .setUntil(10)
                        .setStep(1)
                        .setBytes(0)
                        .build(),
                ByteBuffer.wrap(bytes.toByteArray()));
    }

    /** Of nine elements, and one that was dropped, the last. */
    private static void entry(CacheStore store, CacheRoad road, AssignedSplit split) {
        EntryRecord element = new EntryRecord() {
            @Override
            public int bytes() {
                return Long.BYTES;
            }

            @Override
            public void put(ByteBuffer into) {
                into.putLong(1);
            }
        };
        try (EntryMaking making = store.make(road.key(split).orElseThrow()).orElseThrow()) {
            for (int i = 0; i < 9; i++) {
                assertThat(making.add(element)).isTrue();
            }
            assertThat(making.publish(RoaringBitmap.bitmapOf(9))).isTrue();
        }
    }

    // of ten the entry tells that one was dropped; two are not wanted, and what comes of the rest counts when it comes
    @Test
    void elementsCountWhenTheyComeOutAndOnceHoweverOftenTheirEntryIsFed() throws IOException {
        Settlement settlement = new Settlement();
        AssignedSplit split = split(RoaringBitmap.bitmapOf(0, 1));
        EntryGroup group = new EntryGroup("t", POINT.prefix());
        try (CacheStore store = CacheStore.open(folder, false, "w1", 1 << 20, InstantSource.system());
                CacheRoad road = new CacheRoad(store, group, POINT, 1, settlement);
                Waiting graph = new Waiting()) {
            store.divide(Map.of(group, new StoreRoom.Target(1 << 20, false)));
            entry(store, road, split);
            settlement.assigned(split);
            settlement.counted(0, 10);
            assertThat(road.feed(split, graph)).isTrue();
            assertThat(road.splits()).isEqualTo(1);
            assertThat(road.elements()).isZero();
            road.delivered(new long[] {Ticket.of(0, 2), Ticket.of(0, 3), Ticket.of(0, 4), Ticket.of(7, 5)});
            assertThat(road.elements()).isEqualTo(3);
            // the others are to be read once more: they come of one of the readings
            AssignedSplit rest = split(RoaringBitmap.bitmapOf(0, 1, 2, 3, 4));
            settlement.assigned(rest);
            assertThat(road.feed(rest, graph)).isTrue();
            road.delivered(new long[] {Ticket.of(0, 5), Ticket.of(0, 6)});
            road.delivered(new long[] {Ticket.of(0, 5), Ticket.of(0, 7)});
            assertThat(road.elements()).isEqualTo(6);
        }
    }

    // its consumers left one after the other, and what they had not taken is to be read again
    @Test
    void anEntryThatIsFedAgainIsThereForEachReading() {
        Settlement settlement = new Settlement();
        AssignedSplit split = new AssignedSplit(
                0L,
                Split.newBuilder()
                        .setKind(SplitKind.INTEGERS)
                        .setSource(0)
                        .setPaths(List.of())
                        .setFrom(0)
                        .setUntil(1)
                        .setStep(1)
                        .setBytes(0)
                        .build(),
                ByteBuffer.allocate(0));
        EntryGroup group = new EntryGroup("t", POINT.prefix());
        try (CacheStore store = CacheStore.open(folder, false, "w1", 1 << 20, InstantSource.system());
                CacheRoad road = new CacheRoad(store, group, POINT, 1, settlement);
                Waiting graph = new Waiting()) {
            store.divide(Map.of(group, new StoreRoom.Target(1 << 20, false)));
            try (EntryMaking making = store.make(road.key(split).orElseThrow()).orElseThrow()) {
                assertThat(making.publish(RoaringBitmap.bitmapOf(0))).isTrue();
            }
            for (int reading = 1; reading <= 3; reading++) {
                settlement.assigned(split);
                assertThat(road.feed(split, graph)).isTrue();
                assertThat(graph.entries).hasSize(reading).allMatch(file -> file.toFile()
                        .exists());
            }
        }
    }
}
