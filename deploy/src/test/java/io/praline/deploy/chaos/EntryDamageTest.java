package io.praline.deploy.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.chaos.EntryDamage.Way;
import io.praline.deploy.chaos.trainer.KeptRecords;
import io.praline.deploy.sample.TfRecordWriter;
import io.praline.identity.Ticket;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryDamageTest {
    private static final String KEY = "0123456789abcdef".repeat(4);

    /** Length and two checksums, and ten bytes. */
    private static final int RECORD = 26;

    @TempDir
    private Path store;

    private Path group;

    @BeforeEach
    void makeGroup() throws IOException {
        group = Files.createDirectories(
                store.resolve("entries").resolve("t-default").resolve(KEY).resolve("01"));
    }

    private EntryDamage damage(long seed) {
        return new EntryDamage(store, new SplittableRandom(seed));
    }

    private Path written(String name) throws IOException {
        Path file = group.resolve(name);
        try (TfRecordWriter out = new TfRecordWriter(file)) {
            for (int record = 0; record < 5; record++) {
                out.write(new byte[10]);
            }
        }
        return file;
    }

    @Test
    void someAreCutBetweenRecordsAndSomeAnywhere() throws IOException {
        Set<Boolean> between = new HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            Path file = written(KEY);
            assertThat(damage(seed).harm(file, Way.CUT)).isTrue();
            assertThat(Files.size(file)).isLessThan(5 * RECORD);
            between.add(Files.size(file) % RECORD == 0);
        }
        assertThat(between).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void whatIsChangedIsAsLongAndSometimesAsOldAsBefore() throws IOException {
        FileTime old = FileTime.fromMillis(1_000_000);
        Set<Boolean> silent = new HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            Path file = written(KEY);
            byte[] before = Files.readAllBytes(file);
            Files.setLastModifiedTime(file, old);
            assertThat(damage(seed).harm(file, Way.CHANGED)).isTrue();
            byte[] after = Files.readAllBytes(file);
            assertThat(after).hasSameSizeAs(before);
            silent.add(Files.getLastModifiedTime(file).equals(old));
        }
        assertThat(silent).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void whatIsGoneOrEmptyIsNotHarmed() throws IOException {
        assertThat(damage(1).harm(group.resolve("gone"), Way.DELETED)).isFalse();
        assertThat(damage(1).harm(group.resolve("gone"), Way.CHANGED)).isFalse();
        Path mark = Files.createFile(group.resolve(KEY + ".made"));
        assertThat(damage(1).harm(mark, Way.CUT)).isFalse();
        assertThat(damage(1).harm(mark, Way.DELETED)).isTrue();
        assertThat(damage(1).harm()).isZero();
    }

    private List<String> left(long seed) throws IOException {
        for (int file = 0; file < 8; file++) {
            written(KEY.substring(1) + file);
            written(KEY.substring(1) + file + ".5f0c");
        }
        EntryDamage damage = damage(seed);
        int harmed = damage.harm() + damage.harm() + damage.harm();
        assertThat(harmed).isBetween(3, 12);
        List<String> left = new ArrayList<>();
        try (Stream<Path> files = Files.list(group)) {
            for (Path file : files.sorted().toList()) {
                left.add(file.getFileName() + " " + Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return left;
    }

    @Test
    void theSameSeedHarmsTheSame() throws IOException {
        assertThat(left(5)).isEqualTo(left(5)).isNotEqualTo(left(6));
    }

    // ---- what jobs read that keep something

    @Test
    void anElementIsHeldAgainstItsNumberAndItsTicket() {
        long[] values = new long[64];
        for (int i = 0; i < 32; i++) {
            values[i] = 7;
            values[32 + i] = 1_000_003L * 83 + (long) i * i;
        }
        LongBuffer batch = LongBuffer.wrap(values);
        assertThat(KeptRecords.isRight(83, Ticket.of(2, 3), batch, 1)).isTrue();
        assertThat(KeptRecords.isRight(83, Ticket.of(2, 4), batch, 1)).isFalse();
        assertThat(KeptRecords.isRight(83, Ticket.of(2, 3), batch, 0)).isFalse();
        values[63]++;
        assertThat(KeptRecords.isRight(83, Ticket.of(2, 3), batch, 1)).isFalse();
    }
}
