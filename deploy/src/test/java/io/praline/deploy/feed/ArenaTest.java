package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ArenaTest {
    private final Arena arena = new Arena(ByteBuffer.allocate(1024), () -> {});

    // 100 bytes take 128
    @Test
    void takesTheLowestGapThatIsLargeEnough() {
        assertThat(arena.take(100)).hasValue(0);
        assertThat(arena.take(64)).hasValue(128);
        assertThat(arena.take(64)).hasValue(192);
        arena.free(0);
        assertThat(arena.take(192)).hasValue(256);
        assertThat(arena.take(65)).hasValue(0);
    }

    // gaps of 64 on both sides of one that is freed become one of 192
    @Test
    void gapsThatTouchAreOne() {
        for (int part = 0; part < 8; part++) {
            assertThat(arena.take(64)).hasValue(64L * part);
        }
        arena.free(64);
        arena.free(192);
        arena.free(128);
        assertThat(arena.take(192)).hasValue(64);
    }

    // 2 x 300 is more than half of 1,024, and is always held; a third is not
    @Test
    void holdsHalfOfItOrTwoBatches() {
        assertThat(arena.take(300)).isPresent();
        assertThat(arena.take(300)).isPresent();
        assertThat(arena.take(64)).isEmpty();
        arena.free(0);
        assertThat(arena.take(64)).hasValue(0);
    }

    @Test
    void whatIsLargerThanAllOfItFindsNoRoom() {
        assertThat(arena.take(1025)).isEmpty();
        assertThat(arena.take(1024)).hasValue(0);
    }

    @Test
    void isFreedOnce() {
        arena.take(10);
        arena.free(0);
        assertThatThrownBy(() -> arena.free(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whateverWasTakenAndFreedAllOfItIsOneGapAgain() {
        Random random = new Random(5);
        Deque<Long> taken = new ArrayDeque<>();
        for (int step = 0; step < 1_000; step++) {
            OptionalLong place = arena.take(1 + random.nextInt(200));
            place.ifPresent(taken::add);
            if (place.isEmpty() || random.nextBoolean()) {
                arena.free(random.nextBoolean() ? taken.removeFirst() : taken.removeLast());
            }
            if (taken.isEmpty()) {
                assertThat(arena.heldBytes()).isZero();
            }
        }
        taken.forEach(arena::free);
        assertThat(arena.heldBytes()).isZero();
        assertThat(arena.take(1024)).hasValue(0);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileIsMappedUntilItIsClosed(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("memory"), new byte[4096]);
        Arena mapped = Arena.map(file, 4096);
        mapped.part(64, 1).put(0, (byte) 7);
        assertThat(Files.readAllBytes(file)[64]).isEqualTo((byte) 7);
        assertThat(Files.readString(Path.of("/proc/self/maps"))).contains(file.toString());
        mapped.close();
        assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(file.toString());
    }
}
