package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.praline.client.stream.Moment;
import io.praline.wire.ElementType;
import io.praline.wire.memory.SharedSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShownTest {
    private static final int MIB = 1 << 20;
    private static final int HALF_MIB = MIB / 2;
    private static final Moment UNTIL = new Moment(7, 8);

    @TempDir
    private Path folder;

    private final byte[] memory = new byte[4 * MIB];
    private final List<Long> closed = new ArrayList<>();
    private int unmapped;
    private Path events;
    private Pipe pipe;
    private Shown shown;

    @BeforeEach
    void opens() throws IOException {
        Path commands = Files.createFile(folder.resolve("commands"));
        events = folder.resolve("events");
        pipe = Pipe.open(commands, events);
        shown = new Shown(new Arena(ByteBuffer.wrap(memory), () -> unmapped++), pipe);
    }

    @AfterEach
    void ends() {
        pipe.close();
    }

    /** A batch of one component, each of its bytes this one. */
    private Offer batch(long number, int bytes, int each, Optional<Offer.InSegment> at) {
        byte[] values = new byte[bytes];
        Arrays.fill(values, (byte) each);
        Offer.Part part = new Offer.Part(ElementType.UINT8, new long[] {bytes}, 0, ByteBuffer.wrap(values));
        return new Offer(
                number,
                0,
                1,
                new long[0],
                UNTIL,
                List.of(part),
                bytes,
                at,
                new Offer.Held(bytes, () -> closed.add(number)));
    }

    private static SharedSegment segment(int bytes) {
        Optional<SharedSegment> made = SharedSegment.create(bytes);
        assumeThat(made).as("memory that processes share").isPresent();
        return made.get();
    }

    private static Optional<Offer.InSegment> in(SharedSegment segment) {
        return Optional.of(new Offer.InSegment(segment, List.of(0L)));
    }

    /** What was told so far, by its kinds. */
    private List<Integer> told() throws IOException {
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(events)).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> kinds = new ArrayList<>();
        while (all.hasRemaining()) {
            int bytes = all.getInt();
            kinds.add((int) all.get(all.position()));
            all.position(all.position() + bytes);
        }
        return kinds;
    }

    // behind the pipe's head of 5 bytes: number, epoch, elements, place, components, offset, bytes, tickets are 43
    @Test
    void anOfferSaysUntilWhenItMayBeTakenByBothClocks() throws IOException {
        shown.show(batch(0, 1, 1, Optional.empty()));
        ByteBuffer told = ByteBuffer.wrap(Files.readAllBytes(events)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(told.getLong(5 + 43)).isEqualTo(7);
        assertThat(told.getLong(5 + 43 + 8)).isEqualTo(8);
    }

    // arrays that Python keeps lie at the arena's beginning, which is free again as far as the feed knows
    @Test
    void whatIsShownWhileTheFeedClosesLiesNowhereWhereArraysMayBe() {
        shown.show(batch(0, HALF_MIB, 1, Optional.empty()));
        shown.close();
        shown.show(batch(1, HALF_MIB, 2, Optional.empty()));
        assertThat(Arrays.copyOf(memory, HALF_MIB)).containsOnly(1);
        assertThat(closed).containsExactly(0L, 1L);
    }

    // the collector may find a mapping hours later, and as long the memory is taken that it is of
    @Test
    void theFeedsMemoryIsNotGivenBackWhileABatchIsLaidThere() {
        Offer.Part part = new Offer.Part(ElementType.UINT8, new long[] {1}, 0, ByteBuffer.allocate(1));
        List<Integer> unmappedWhileItWasLaid = new ArrayList<>();
        List<Offer.Part> parts = new AbstractList<>() {
            @Override
            public Offer.Part get(int index) {
                shown.close();
                unmappedWhileItWasLaid.add(unmapped);
                return part;
            }

            @Override
            public int size() {
                return 1;
            }
        };
        Offer.Held held = new Offer.Held(1, () -> closed.add(0L));
        shown.show(new Offer(0, 0, 1, new long[0], UNTIL, parts, 1, Optional.empty(), held));
        assertThat(unmappedWhileItWasLaid.get(0)).isZero();
        assertThat(unmapped).isEqualTo(1);
        shown.close();
        assertThat(unmapped).isEqualTo(1);
    }

    @Test
    void theFeedsMemoryIsGivenBackWithTheFeed() {
        shown.show(batch(0, HALF_MIB, 1, Optional.empty()));
        shown.close();
        assertThat(unmapped).isEqualTo(1);
    }

    @Test
    void aBatchThatLiesWhereItsWorkerPutItIsClosedWhenItIsFreedOrTheFeedIsClosed() throws IOException {
        SharedSegment segment = segment(4 * MIB);
        try {
            shown.show(batch(0, HALF_MIB, 1, in(segment)));
            shown.show(batch(1, HALF_MIB, 1, in(segment)));
            assertThat(told()).containsExactly(Event.SEGMENT.number(), Event.OFFERED.number(), Event.OFFERED.number());
            shown.freed(0);
            assertThat(closed).containsExactly(0L);
            shown.close();
            assertThat(closed).containsExactly(0L, 1L);
            shown.show(batch(2, HALF_MIB, 1, in(segment)));
            assertThat(closed).containsExactly(0L, 1L, 2L);
        } finally {
            segment.discard();
        }
    }

    // half of 1 MiB is what may be held of it: a batch of more is copied, and keeps nothing that Python would open
    @Test
    void aSegmentIsToldWithABatchThatLiesInItAndKeepsIt() throws IOException {
        SharedSegment segment = segment(MIB);
        try {
            shown.show(batch(0, HALF_MIB + 64, 1, in(segment)));
            assertThat(told()).containsExactly(Event.OFFERED.number());
            shown.show(batch(1, HALF_MIB, 1, in(segment)));
            assertThat(told()).containsExactly(Event.OFFERED.number(), Event.SEGMENT.number(), Event.OFFERED.number());
            assertThat(closed).containsExactly(0L);
        } finally {
            segment.discard();
        }
        shown.show(batch(2, HALF_MIB, 1, in(segment)));
        assertThat(told()).endsWith(Event.SEGMENT.number(), Event.OFFERED.number());
        assertThat(closed).containsExactly(0L, 2L);
    }
}
