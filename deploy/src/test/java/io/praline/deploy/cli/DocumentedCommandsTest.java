package io.praline.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.terminal.OptionLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What documents and helps show is what the command takes: nothing of it is run. */
class DocumentedCommandsTest {

    private static final Path ROOT = Path.of("..");

    private static final List<String> DOCUMENTS = List.of(
            "README.md",
            "ARCHITECTURE.md",
            "PROTOCOL.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "deploy/ACLS.md",
            "client-consumer/PIPELINES.md",
            "tests/BENCHMARKS.md");

    private static final Pattern FENCED = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```");
    private static final Pattern SHOWN = Pattern.compile("(?m)^(?:\\./)?praline +(.*)$");
    private static final Pattern MENTIONED = Pattern.compile("`(?:\\./)?praline ([^`\\n]+)`");
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^(?:Examples?:)? +praline +(.*)$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private static Stream<String> documents() {
        return DOCUMENTS.stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aCommandThatStandsByItselfIsOneThatCanBeTyped(String document) throws IOException {
        assertThat(shown(document)).allSatisfy(DocumentedCommandsTest::assertTaken);
    }

    private static List<String> shown(String document) throws IOException {
        return FENCED.matcher(Files.readString(ROOT.resolve(document)))
                .results()
                .flatMap(block -> SHOWN.matcher(block.group(1)).results())
                .map(line -> line.group(1))
                .toList();
    }

    @Test
    void suchCommandsAreFound() throws IOException {
        assertThat(shown("README.md")).hasSizeGreaterThan(20);
    }

    // with placeholders in place of values: of these the names of commands and options are looked at
    @ParameterizedTest
    @MethodSource("documents")
    void whatASentenceMentionsIsThere(String document) throws IOException {
        assertThat(MENTIONED.matcher(Files.readString(ROOT.resolve(document))).results())
                .allSatisfy(command -> assertThere(command.group(1)));
    }

    @Test
    void anExampleOfAHelpIsOneThatCanBeTyped() {
        List<String> all = new ArrayList<>();
        collect(Praline.commandLine(), all);
        assertThat(all).hasSizeGreaterThan(30).allSatisfy(DocumentedCommandsTest::assertTaken);
    }

    private static void collect(CommandLine command, List<String> all) {
        String footer =
                String.join("\n", command.getCommandSpec().usageMessage().footer());
        EXAMPLE.matcher(footer).results().forEach(example -> all.add(example.group(1)));
        command.getSubcommands().values().forEach(sub -> collect(sub, all));
    }

    private static void assertTaken(String line) {
        String command = line.replaceFirst("\\s+#.*|\\s+(&&|;|>|\\|)\\s.*", "");
        List<String> words = WORD.matcher(command)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toList();
        CommandLine praline = Praline.commandLine();
        try {
            OptionLimits.check(praline.parseArgs(words.toArray(String[]::new)));
        } catch (ParameterException wrong) {
            throw new AssertionError("praline " + command + ": " + wrong.getMessage(), wrong);
        }
    }

    private static void assertThere(String mentioned) {
        CommandLine command = Praline.commandLine();
        boolean options = false;
        for (String raw : mentioned.split("\\s+", -1)) {
            String word = raw.replaceAll("^[\\[('\"]+|[\\])'\",.;:]+$|=.*", "");
            if (word.startsWith("-")) {
                options = true;
                assertThat(command.getCommandSpec().optionsMap())
                        .as("praline " + mentioned)
                        .containsKey(word);
            } else if (!options && command.getSubcommands().containsKey(word)) {
                command = command.getSubcommands().get(word);
            } else if (command.getCommandSpec().parent() == null) {
                throw new AssertionError("there is no command in: praline " + mentioned);
            }
        }
    }
}
