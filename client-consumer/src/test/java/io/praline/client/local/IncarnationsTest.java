package io.praline.client.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncarnationsTest {
    private static final String NOBODY = "0123@";

    @TempDir
    Path proc;

    private Incarnations here;

    @BeforeEach
    void process42Begun1000TicksBehindTheBoot() throws IOException {
        here = new Incarnations(proc);
        write("sys/kernel/random/boot_id", "one-boot\n");
        write("sys/kernel/hostname", "here\n");
        Files.createDirectories(proc.resolve("self").resolve("ns"));
        for (String kind : new String[] {"pid", "user", "time"}) {
            namespace(kind, "1");
        }
        write("self/status", "Name:\tjava\nNSpid:\t42\n");
        stat(1, "init", "S", 1, 0);
        stat(42, "java", "S", 30, 1_000);
    }

    private void write(String file, String text) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text, StandardCharsets.ISO_8859_1);
    }

    private void namespace(String kind, String number) throws IOException {
        Path link = proc.resolve("self").resolve("ns").resolve(kind);
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, Path.of(kind + ":[" + number + "]"));
    }

    private void stat(int pid, String name, String state, int threads, long start) throws IOException {
        write(
                pid + "/stat",
                pid + " (" + name + ") " + state + " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 " + threads + " 0 " + start
                        + " 0 0\n");
    }

    private void ends(int pid) throws IOException {
        Files.delete(proc.resolve(pid + "/stat"));
        Files.delete(proc.resolve(Integer.toString(pid)));
    }

    @Test
    void tellWhichProcessTheyAre() {
        String one = here.next();
        assertThat(one).matches("[0-9a-f-]{36}@[0-9a-f]{16}\\.42\\.1000").isNotEqualTo(here.next());
        assertThat(here.isDead(one)).isFalse();
    }

    @Test
    void oneWhoseProcessIsNotThereIsDead() throws IOException {
        String one = here.next();
        ends(42);
        assertThat(here.isDead(one)).isTrue();
    }

    @Test
    void oneWhoseNumberAnotherProcessHasIsDead() throws IOException {
        String one = here.next();
        stat(42, "a ) R 1", "S", 30, 1_001);
        assertThat(here.isDead(one)).isTrue();
    }

    // its parent has not waited for it; 2: a thread of it has not ended yet
    @Test
    void oneThatEndedAndIsNotWaitedForIsDead() throws IOException {
        String one = here.next();
        stat(42, "java", "Z", 2, 1_000);
        assertThat(here.isDead(one)).isFalse();
        stat(42, "java", "Z", 1, 1_000);
        assertThat(here.isDead(one)).isTrue();
    }

    // as seen from there the same number is another process, or none
    @Test
    void nothingIsKnownOfThoseOfOtherPlaces() throws IOException {
        String one = here.next();
        ends(42);
        for (String kind : new String[] {"pid", "user", "time"}) {
            namespace(kind, "2");
            assertThat(here.isDead(one)).as(kind).isFalse();
            namespace(kind, "1");
        }
        write("sys/kernel/random/boot_id", "another\n");
        assertThat(here.isDead(one)).isFalse();
        write("sys/kernel/random/boot_id", "one-boot\n");
        write("sys/kernel/hostname", "there\n");
        assertThat(here.isDead(one)).isFalse();
        write("sys/kernel/hostname", "here\n");
        assertThat(here.isDead(one)).isTrue();
    }

    @Test
    void nothingIsKnownWhereProcessesAreHidden() throws IOException {
        String one = here.next();
        ends(42);
        ends(1);
        assertThat(here.isDead(one)).isFalse();
    }

    // of /proc of an outer container: 4711 there, 42 here
    @Test
    void nothingIsKnownByNumbersOfAnotherNamespace() throws IOException {
        String one = here.next();
        write("self/status", "Name:\tjava\nNSpid:\t4711\t42\n");
        assertThat(here.next()).matches("[0-9a-f-]{36}");
        ends(42);
        assertThat(here.isDead(one)).isFalse();
    }

    @Test
    void nothingIsKnownOfThoseThatDoNotTell() throws IOException {
        String where = here.next().replaceFirst(".*@", NOBODY);
        ends(42);
        assertThat(here.isDead(where)).isTrue();
        for (String other : new String[] {"", "0123", NOBODY, where + ".", where.replace(".1000", ""), "@" + where}) {
            assertThat(here.isDead(other)).as(other).isFalse();
        }
        assertThat(here.deadHolder(Optional.empty(), 0)).isEmpty();
    }

    @Test
    void nothingIsToldWhereTheSystemTellsNothing() {
        Incarnations other = new Incarnations(proc.resolve("none"));
        assertThat(other.next()).matches("[0-9a-f-]{36}");
        assertThat(other.isDead(here.next())).isFalse();
    }

    @Test
    void linuxTells() {
        String own = Incarnations.HERE.next();
        assertThat(own)
                .endsWith("." + ownStart())
                .contains("." + ProcessHandle.current().pid() + ".");
        assertThat(Incarnations.HERE.isDead(own)).isFalse();
        assertThat(Incarnations.HERE.isDead(own.replaceFirst("\\.\\d+$", ".7"))).isTrue();
    }

    private static String ownStart() {
        try {
            String[] told = Files.readString(Path.of("/proc/self/stat")).split(" ", -1);
            return told[21];
        } catch (IOException unknown) {
            throw new IllegalStateException(unknown);
        }
    }
}
