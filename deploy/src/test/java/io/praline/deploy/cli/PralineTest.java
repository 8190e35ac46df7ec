package io.praline.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PralineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @Test
    void anUnknownOptionIsOneLineAndWrongUse() {
        assertThat(run("jobs", "--wtach")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("praline: unknown option '--wtach'; see 'praline jobs --help'");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anErrorIsOneLineToo() {
        PrintWriter full = new PrintWriter(new StringWriter()) {
            @Override
            public void write(String text, int from, int length) {
                throw new OutOfMemoryError("no room");
            }
        };
        assertThat(Praline.run(full, new PrintWriter(err, true), "--version")).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly("praline: no room (outofmemoryerror; --verbose shows where)");
    }

    @Test
    void whateverFailsOnceACommandIsInterruptedIsThat() {
        PrintWriter told = new PrintWriter(err, true);
        assertThat(Praline.run(new PrintWriter(out, true), told, () -> true, "pipeline", "describe", "/nowhere/a.pb"))
                .isEqualTo(130);
        assertThat(err.toString().lines()).containsExactly("praline: interrupted");
    }

    @Test
    void chaosFollowsFromItsSeed() {
        assertLine("--max-deaths must be at least 3, is 2; see 'praline chaos --help'", "chaos", "--max-deaths", "2");
        assertThat(run("chaos", "--show", "--seed", "5", "--runs", "2")).isZero();
        String shown = out.toString();
        assertThat(shown.lines())
                .anyMatch(line -> line.startsWith("seed 6: "))
                .anyMatch(line -> line.contains(" kill "));
        out.getBuffer().setLength(0);
        assertThat(run("chaos", "--show", "--seed", "5", "--runs", "2")).isZero();
        assertThat(out.toString()).isEqualTo(shown);
    }

    @Test
    void whatTheCommandLineDoesNotKnowIsToldWithWhatIsAlike() {
        assertLine("a command is missing; see 'praline --help'");
        assertLine("unknown command 'job-list'; did you mean job?; see 'praline --help'", "job-list");
        assertLine("unexpected argument 'now'; see 'praline jobs --help'", "jobs", "now");
        // as a shell makes it of a pattern without quotes
        assertLine(
                "unexpected argument '/data/b'; put a pattern in quotes: --data '/data/train-*.tfrecord'; see 'praline"
                        + " run --help'",
                "run",
                "--pipeline",
                "p.pb",
                "--data",
                "/data/a",
                "/data/b");
        // the option that is missing is the one that is misspelt
        assertLine(
                "unknown option '--pipelin'; did you mean --pipeline?; see 'praline run --help'",
                "run",
                "--pipelin",
                "p.pb");
    }

    @Test
    void whatAnOptionCannotBeIsToldByItsName() {
        assertLine(
                "--data is empty; leave it out to read the files that the pipeline names",
                "run",
                "--pipeline",
                "p.pb",
                "--data",
                "");
        assertLine(
                "Invalid value for option '--order': expected one of [exact, tolerant, pecan, off] (case-insensitive) but"
                        + " was 'wild'; see 'praline run --help'",
                "run",
                "--pipeline",
                "p.pb",
                "--order",
                "wild");
        assertLine(
                "Invalid value for option '--cache': expected one of [auto, off, source, prefix, full] (case-insensitive) but"
                        + " was 'wild'; see 'praline run --help'",
                "run",
                "--pipeline",
                "p.pb",
                "--cache",
                "wild");
        assertLine("say one of list, pin, unpin, drop, verify, warm; see 'praline cache --help'", "cache");
        assertLine("Missing required parameter: 'PREFIX'; see 'praline cache pin --help'", "cache", "pin");
        assertLine("Missing required option: '--pipeline=FILE'; see 'praline cache warm --help'", "cache", "warm");
        assertLine(
                "Invalid value for option '--path': expected one of [auto, tcp, uds, shm] (case-insensitive) but was"
                        + " 'nonsense'; see 'praline run --help'",
                "run",
                "--pipeline",
                "p.pb",
                "--path",
                "nonsense");
    }

    // both are refused for what comes behind: the words themselves are good
    @Test
    void aGuaranteeIsSaidWithDashesOrUnderscores() {
        assertLine(
                "Invalid value for option '--guarantee': expected exactly-once or at-least-once but was 'twice'; see"
                        + " 'praline run --help'",
                "run",
                "--pipeline",
                "p.pb",
                "--guarantee",
                "twice");
        for (String said : List.of("exactly-once", "AT_LEAST_ONCE")) {
            assertLine(
                    "--epochs must be at least 1, is 0; see 'praline run --help'",
                    "run",
                    "--pipeline",
                    "p.pb",
                    "--guarantee",
                    said,
                    "--epochs",
                    "0");
        }
    }

    /** Wrong use, in exactly this line. */
    @Test
    void takesAPlaceInAJobOrSubmitsOneButNotBoth() {
        assertLine(
                "what shall run? say --pipeline FILE, or --attach JOB to take a place in a job that is there", "run");
        assertLine("which place? say --attach train-7 --consumer I", "run", "--attach", "train-7");
        assertLine(
                "--consumer and --replace say which place of a job to take: add --attach JOB",
                "run",
                "--pipeline",
                "p.pb",
                "--replace");
        assertLine(
                "--epochs is for a job that is submitted; leave it out with --attach",
                "run",
                "--attach",
                "train-7",
                "--consumer",
                "1",
                "--epochs",
                "2");
    }

    @Test
    void whoTakesAPlaceSaysNothingThatIsSettled() {
        assertThat(Praline.commandLine()
                        .getSubcommands()
                        .get("run")
                        .getCommandSpec()
                        .optionsMap())
                .containsKeys(AttachOptions.OF_A_PLACE.toArray(String[]::new));
        for (List<String> settled : List.of(
                List.of("--order", "off"),
                List.of("--cache", "off"),
                List.of("--price-storage", "1"),
                List.of("--price-fetch", "1"))) {
            assertLine(
                    settled.get(0) + " is for a job that is submitted; leave it out with --attach",
                    "run",
                    "--attach",
                    "train-7",
                    "--consumer",
                    "1",
                    settled.get(0),
                    settled.get(1));
        }
    }

    private void assertLine(String line, String... command) {
        err.getBuffer().setLength(0);
        assertThat(run(command)).isEqualTo(2);
        assertThat(err.toString().lines()).containsExactly("praline: " + line);
    }

    @Test
    void aLineOfProgressIsNotSaidTwice() {
        List<String> said = new ArrayList<>();
        Progress.NewLines lines = new Progress.NewLines(said::add);
        List.of("0/?", "8/?", "8/?", "9/?").forEach(lines);
        assertThat(said).containsExactly("0/?", "8/?", "9/?");
    }

    @Test
    void everyCommandHasHelpWithAnExample() {
        List<String> without = new ArrayList<>();
        collectWithoutExample(Praline.commandLine(), without);
        assertThat(without).isEmpty();
    }

    @Test
    void aCommandThatIsNamedIsTheOnlyOneThatIsRead() {
        for (String name : Praline.commandLine().getSubcommands().keySet()) {
            assertThat(Praline.commandLine(name, "--help").getSubcommands()).containsOnlyKeys(name);
        }
        assertThat(Praline.commandLine("jbos").getSubcommands())
                .hasSameSizeAs(Praline.commandLine().getSubcommands());
    }

    private static void collectWithoutExample(CommandLine command, List<String> without) {
        for (CommandLine sub : command.getSubcommands().values()) {
            if (!sub.getUsageMessage().contains("xample")) {
                without.add(sub.getCommandSpec().qualifiedName());
            }
            assertThat(sub.getCommandSpec().optionsMap()).containsKey("--help");
            collectWithoutExample(sub, without);
        }
    }

    @Test
    void aBootstrapWithoutARegistryIsWrongUse() {
        assertThat(run("jobs", "--bootstrap", "localhost:9092")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "praline: --bootstrap and --registry go together; give both, or none for the cluster of"
                                + " 'praline up'");
    }

    @Test
    void aKafkaThatIsNotThereIsToldInOneLineWithCode5() {
        int code = run("topics", "list", "--bootstrap", "127.0.0.1:1", "--registry", "http://127.0.0.1:1");
        assertThat(code).isEqualTo(5);
        assertThat(err.toString().lines())
                .containsExactly(
                        "praline: Kafka at 127.0.0.1:1 cannot be reached: Timed out waiting for a node assignment."
                                + " Call: listNodes; check that it runs, and that its address and the file of --kafka-config are"
                                + " right");
    }

    @Test
    void aConfigFileThatIsNotThereIsNamed() {
        int code = run(
                "jobs",
                "--bootstrap",
                "127.0.0.1:1",
                "--registry",
                "http://127.0.0.1:1",
                "--kafka-config",
                "/nowhere/kafka.properties");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("praline: kafka config file /nowhere/kafka.properties does not exist; check the path");
    }

    @Test
    void aPipelineFileThatIsNotThereOrNoFileIsRefused(@TempDir Path folder) throws IOException {
        assertThat(run("pipeline", "describe", "/nowhere/train.pb")).isEqualTo(3);
        Path directory = Files.createDirectory(folder.resolve("p.yaml"));
        assertThat(run("pipeline", "describe", directory.toString())).isEqualTo(3);
        assertThat(err.toString().lines())
                .containsExactly(
                        "praline: no pipeline file /nowhere/train.pb; check the path",
                        "praline: the pipeline file " + directory + " is a directory; name a file in it");
    }

    // the worker of number 2 would have 65,536
    @Test
    void aPortForEachWorkerIsAskedForBeforeAnythingStarts() {
        assertLine(
                "--http-port 65534 leaves no port behind it for each of 2 workers; it must be at most 65533",
                "up",
                "--workers",
                "2",
                "--http-port",
                "65534");
    }

    // some data in place of a pipeline, of which nothing is read
    @Test
    void aFileThatIsLargerThanAnyOfItsKindIsRefused(@TempDir Path folder) throws IOException {
        for (String name : List.of("a.pb", "a.yaml", "a.csv")) {
            try (RandomAccessFile file =
                    new RandomAccessFile(folder.resolve(name).toString(), "rw")) {
                file.setLength(3L << 30);
            }
        }
        Path graph = folder.resolve("a.pb");
        Path text = folder.resolve("a.yaml");
        Path table = folder.resolve("a.csv");
        assertThat(run("pipeline", "describe", graph.toString())).isEqualTo(3);
        assertThat(run("pipeline", "describe", text.toString())).isEqualTo(3);
        assertThat(run("policy", "simulate", text.toString())).isEqualTo(3);
        assertThat(run("policy", "replay", "--windows", table.toString())).isEqualTo(3);
        assertThat(err.toString().lines())
                .containsExactly(
                        "praline: cannot read the pipeline file " + graph
                                + ": it has more than 256 MiB, which no such file has",
                        "praline: " + text + " line 1: more than 16 MiB, which no list of steps has",
                        "praline: " + text + ": cannot be read: it has more than 64 MiB, which no such file has",
                        "praline: " + table + " cannot be read: it has more than 64 MiB, which no such file has");
    }

    @Test
    void whyAFileCannotBeReadIsSaidInWords(@TempDir Path folder) throws IOException {
        Path table = Files.write(folder.resolve("a.csv"), new byte[] {(byte) 0xff});
        assertThat(run("policy", "replay", "--windows", table.toString())).isEqualTo(3);
        assertThat(run("policy", "replay", "--windows", folder.toString())).isEqualTo(3);
        assertThat(err.toString().lines())
                .containsExactly(
                        "praline: " + table + " cannot be read: no text in UTF-8",
                        "praline: " + folder + " cannot be read: Is a directory");
    }

    @Test
    void aDataDirectoryThatCannotBeMadeIsTold(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("data"));
        assertLine(
                "data directory " + file + " cannot be made: " + file + " is a file; choose another directory",
                "up",
                "--data-dir",
                file.toString());
    }

    // 3 files of 8, 4 and 0 bytes: 3 splits of 12 bytes
    @Test
    void aPipelineIsDescribedWithTheFilesItWouldRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("p.yaml"), "source: text\nsteps:\n  - batch: {size: 2}\n");
        Files.writeString(folder.resolve("a.txt"), "one\ntwo\n");
        Files.writeString(folder.resolve("b.txt"), "six\n");
        Files.createFile(folder.resolve("c.txt"));
        assertThat(run("pipeline", "describe", file.toString(), "--data", folder + "/*.txt"))
                .isZero();
        assertThat(out.toString()).contains("plan        3 splits, 12 bytes in an epoch");

        assertThat(run("pipeline", "describe", file.toString(), "--data", folder + "/*.csv"))
                .isEqualTo(3);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("sees no file that matches " + folder + "/*.csv");
    }

    @Test
    void aPipelineIsDescribedWithWhatItsOperationsDo(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("p.yaml"), "source: text\nsteps:\n  - batch: {size: 2}\n");
        assertThat(run("pipeline", "describe", file.toString(), "--traits")).isZero();
        assertThat(out.toString().lines())
                .filteredOn(line -> line.startsWith("trait"))
                .contains(
                        "trait       BatchDatasetV2             batch, many to one, drops by remainder,"
                                + " each task makes batches of what it reads itself",
                        "trait       TextLineDataset            text lines, source");

        out.getBuffer().setLength(0);
        assertThat(run("pipeline", "describe", file.toString(), "--traits", "--json"))
                .isZero();
        assertThat(out.toString()).contains("""
                        {"op":"TextLineDataset","known":true,"family":"text lines","grain":"source","keepsOrder":true,\
                        "drops":"nothing","repeats":"yes","position":false,"draws":"nothing","stateless":null,"perTask":""}\
                        """);
    }

    // what a job failed of was written by others, who must not move the cursor of who looks
    @Test
    void anErrorMovesNoCursor() {
        assertThat(Failures.tell(new IllegalArgumentException("a\u001b[2Jb \u202ec\nd"))
                        .line())
                .isEqualTo("praline: a?[2Jb ?c d");
    }

    @Test
    void aFolderThatCannotBeWrittenIsWrongUseAndNoFault() {
        UncheckedIOException refused =
                new UncheckedIOException("cannot make the secret at /x/secret: /x", new AccessDeniedException("/x"));
        assertThat(Failures.tell(refused))
                .isEqualTo(new Failures.Told(
                        ExitCode.WRONG_USE, "praline: cannot make the secret at /x/secret: /x: permission denied"));
    }

    @Test
    void aDiskThatIsFullIsNoFaultEither() {
        IOException full = new IOException("No space left on device");
        assertThat(Failures.tell(new UncheckedIOException("cannot write /x: No space left on device", full)))
                .isEqualTo(new Failures.Told(ExitCode.WRONG_USE, "praline: cannot write /x: No space left on device"));
        assertThat(Failures.tell(new UncheckedIOException(full)))
                .isEqualTo(new Failures.Told(ExitCode.WRONG_USE, "praline: No space left on device"));
    }

    @Test
    void aDemoThatCannotBeMakesNothing(@TempDir Path folder) throws IOException {
        String images = folder.resolve("images").toString();
        assertOneLine("--step-ms must not be negative", "demo", "--dir", images, "--step-ms", "-1");
        assertOneLine("--epochs must be at least 1", "demo", "--dir", images, "--epochs", "0");
        assertThat(Path.of(images)).doesNotExist();
    }

    private void assertOneLine(String said, String... command) {
        err.getBuffer().setLength(0);
        assertThat(run(command)).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains(said);
    }

    @Test
    void goalsAndLimitsThatCannotBeAreOneLine(@TempDir Path folder) throws IOException {
        String file = Files.writeString(folder.resolve("p.yaml"), "source:\n  range: {to: 8}\n")
                .toString();
        assertOneLine("both 0", "run", "--pipeline", file, "--max-remote", "0");
        assertOneLine("--target", "run", "--pipeline", file, "--target", "fame");
        assertOneLine("--set", "run", "--pipeline", file, "--set", "maxRemote");
    }

    @Test
    void pinsAndActuatorsThatCannotBeAreOneLine() {
        assertOneLine("praline job pause j", "job", "pin", "j", "--remote", "0", "--local", "0");
        assertOneLine("--local", "actuator");
        assertOneLine("no fewer than the least", "actuator", "--local", "--min", "3", "--max", "2");
        assertOneLine("NAMESPACE/DEPLOYMENT", "actuator", "--kubernetes", "workers");
        assertOneLine("leave it out", "up", "--workers", "2", "--max-workers", "3");
        assertOneLine("no fewer than the least", "up", "--min-workers", "3", "--max-workers", "2");
        assertOneLine("--http-host needs --http-port", "up", "--http-host", "0.0.0.0");
        assertOneLine("--local and --job go together", "worker", "--job", "j");
    }

    @Test
    void boundsOfPoolsThatCannotBeAreOneLine() {
        assertOneLine("--pool-least, 5, is 2", "dispatcher", "--pool-least", "5", "--pool-most", "2");
        assertOneLine("there is no policy 'best'", "dispatcher", "--policy", "best");
    }
}
