package io.praline.tests.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.tests.rig.Command;
import io.praline.tests.rig.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script of this checkout, told not to build: it runs what the module {@code deploy} was packed into before these tests,
 * as {@code mvn verify} does. Where it was not, all of them fail and say so.
 */
class ScriptTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path SCRIPT = ROOT.resolve("praline");

    @TempDir
    Path home;

    @BeforeAll
    static void thereIsSomethingToRun() {
        assertThat(ROOT.resolve("deploy/target/dist/lib"))
                .as("the jars that the script runs; 'mvn -DskipTests package' at the root, or 'mvn verify', makes them")
                .isNotEmptyDirectory();
    }

    /** Runs the script, by whatever name, in a folder. */
    private Ended praline(Path folder, String script, String... words) throws IOException, InterruptedException {
        return Command.of("bash", "-c", "cd \"$1\" && shift && exec \"$@\"", "bash", folder.toString(), script)
                .and(words)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("PRALINE_HOME", home.toString())
                .with("PRALINE_NO_ARCHIVE", "1")
                .with("PRALINE_NO_BUILD", "1")
                .run();
    }

    private Ended praline(String... words) throws IOException, InterruptedException {
        return praline(home, SCRIPT.toString(), words);
    }

    // bin/praline -> the checkout's; links/pra -> ../bin/praline
    @Test
    void itIsFoundThroughLinksFromAnyFolder() throws Exception {
        Path bin = Files.createDirectory(home.resolve("bin"));
        Path links = Files.createDirectory(home.resolve("links"));
        Path link = Files.createSymbolicLink(bin.resolve("praline"), SCRIPT);
        Path second = Files.createSymbolicLink(links.resolve("pra"), Path.of("..", "bin", "praline"));

        Ended version = praline(links, "./pra", "--version");

        assertThat(version.err()).isEmpty();
        assertThat(version.out()).matches("praline \\S+, commit (not known|[0-9a-f]{12,}(-dirty)?)\n");
        assertThat(version.code()).isZero();
        assertThat(praline(bin, "../links/pra", "--version")).isEqualTo(version);

        // JUnit warns of links out of its folder
        Files.delete(second);
        Files.delete(link);
    }

    @Test
    void itsHelpNamesEveryCommand() throws Exception {
        Ended help = praline("--help");

        assertThat(help.err()).isEmpty();
        assertThat(help.code()).isZero();
        assertThat(help.out().lines()).first().isEqualTo("Usage: praline [-hV] [--verbose] COMMAND");
        assertThat(help.out().lines().filter(line -> line.matches(" {2}[a-z]+ .*")))
                .extracting(line -> line.strip().split(" ", 2)[0])
                .containsExactly(
                        "demo",
                        "up",
                        "run",
                        "jobs",
                        "job",
                        "workers",
                        "pools",
                        "console",
                        "cache",
                        "topics",
                        "doctor",
                        "pipeline",
                        "explain",
                        "policy",
                        "journal",
                        "bench",
                        "chaos",
                        "dispatcher",
                        "actuator",
                        "worker",
                        "feed",
                        "wheel");
    }

    @Test
    void whatIsNoCommandIsToldInALineWithCode2() throws Exception {
        assertThat(praline("frobnicate"))
                .isEqualTo(new Ended(
                        2, "", "praline: unknown command 'frobnicate'; did you mean job?; see 'praline --help'\n"));
        assertThat(praline()).isEqualTo(new Ended(2, "", "praline: a command is missing; see 'praline --help'\n"));
    }

    // one argument with two spaces, read from the folder in which the script was called
    @Test
    void argumentsReachTheCommandAsTheyWereGiven() throws Exception {
        Files.writeString(home.resolve("two  spaces.yaml"), "source: {range: {to: 4}}\nnames: [number]\n");

        Ended described = praline(home, SCRIPT.toString(), "pipeline", "describe", "two  spaces.yaml");

        assertThat(described.code()).as(described.err()).isZero();
        assertThat(described.out()).contains("number");
    }

    // as in most containers; a name of two letters, each of two bytes of UTF-8
    @ParameterizedTest
    @ValueSource(strings = {"LC_ALL=C", "LC_ALL=", "LANG=xx_XX.UTF-8"})
    void namesMayHaveAnyLettersWhateverTheLocale(String locale) throws Exception {
        Ended described = Command.of(
                        "bash",
                        "-c",
                        "cd \"$1\" && name=$'\\xc3\\xbc\\xc3\\x9f.yaml'"
                                + " && echo '{source: {range: {to: 4}}, names: [number]}' >\"$name\""
                                + " && exec env -u LANG -u LC_CTYPE -u LC_ALL \"$2\" \"$3\" pipeline describe \"$name\"",
                        "bash",
                        home.toString(),
                        locale,
                        SCRIPT.toString())
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("PRALINE_NO_ARCHIVE", "1")
                .with("PRALINE_NO_BUILD", "1")
                .run();

        assertThat(described.err()).isEmpty();
        assertThat(described.code()).isZero();
        assertThat(described.out()).contains("number");
    }

    @Test
    void aCheckoutThatIsNotBuiltSaysSo() throws Exception {
        Path checkout = Files.createDirectory(home.resolve("checkout")).toRealPath();
        for (String file : List.of("praline", "pom.xml")) {
            Files.copy(ROOT.resolve(file), checkout.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }

        assertThat(praline(checkout, "./praline", "jobs"))
                .isEqualTo(new Ended(
                        2,
                        "",
                        "praline: Praline is not built; run 'mvn -DskipTests package' in " + checkout
                                + " or unset PRALINE_NO_BUILD\n"));
    }
}
