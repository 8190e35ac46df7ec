package io.praline.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
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
        assertThat(err.toString().lines()).singleElement().asString().contains("--wtach", "praline jobs --help");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void noCommandIsWrongUse() {
        assertThat(run()).isEqualTo(2);
    }

    @Test
    void everyCommandHasHelpWithAnExample() {
        List<String> without = new ArrayList<>();
        collectWithoutExample(Praline.commandLine(), without);
        assertThat(without).isEmpty();
    }

    private static void collectWithoutExample(CommandLine command, List<String> without) {
        for (CommandLine sub : command.getSubcommands().values()) {
            boolean runsByItself = sub.getSubcommands().isEmpty();
            if (runsByItself && !sub.getUsageMessage().contains("xample")) {
                without.add(sub.getCommandSpec().qualifiedName());
            }
            assertThat(sub.getCommandSpec().optionsMap()).containsKey("--help");
            collectWithoutExample(sub, without);
        }
    }

    @Test
    void aBootstrapWithoutARegistryIsWrongUse() {
        assertThat(run("jobs", "--bootstrap", "localhost:9092")).isEqualTo(2);
        assertThat(err.toString()).contains("--registry");
    }

    @Test
    void aKafkaThatIsNotThereIsToldInOneLineWithCode5() {
        int code = run("topics", "list", "--bootstrap", "127.0.0.1:1", "--registry", "http://127.0.0.1:1");
        assertThat(code).isEqualTo(5);
        assertThat(err.toString().lines()).singleElement().asString().contains("127.0.0.1:1");
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
        assertThat(err.toString()).contains("/nowhere/kafka.properties");
    }

    @Test
    void aPipelineFileThatIsNotThereIsRefused() {
        assertThat(run("pipeline", "describe", "/nowhere/train.pb")).isEqualTo(3);
        assertThat(err.toString().lines()).singleElement().asString().contains("/nowhere/train.pb");
    }
}
