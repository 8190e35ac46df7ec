package io.praline.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the Dockerfile names is there, and its entry point runs: here, without Docker, where the jars of this JVM lie. */
class ImageTest {
    private static final Path DOCKERFILE = Path.of("images", "Dockerfile");
    private static final Path ROOT = Path.of("..");

    /** Where the image has the jars. */
    private static final String LIB = "/opt/praline/lib";

    /** The arguments of all instructions of a kind, continued lines joined. */
    private static List<String> instructions(String kind) throws IOException {
        return Files.readString(DOCKERFILE)
                .replaceAll("\\\\\n\\s*", "")
                .lines()
                .filter(line -> line.startsWith(kind + " "))
                .map(line -> line.substring(kind.length() + 1))
                .toList();
    }

    private static String only(String kind) throws IOException {
        List<String> all = instructions(kind);
        assertThat(all).as(kind).hasSize(1);
        return all.get(0);
    }

    private static List<String> words(String kind) throws IOException {
        return new ObjectMapper().readValue(only(kind), new TypeReference<>() {});
    }

    /** The entry point's shell and its command line, with these jars in place of the image's. */
    private static List<String> entryPoint(List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>(words("ENTRYPOINT"));
        assertThat(words.get(2)).contains("'" + LIB + "/*'");
        words.set(2, words.get(2).replace(LIB + "/*", System.getProperty("java.class.path")));
        words.addAll(arguments);
        return words;
    }

    private record Ended(int code, String out) {}

    private static Ended run(List<String> words, String options) throws IOException, InterruptedException {
        Path out = Files.createTempFile("image", ".out");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.toFile());
            builder.environment().put("PRALINE_JAVA_OPTS", options);
            builder.environment()
                    .merge("PATH", System.getProperty("java.home") + "/bin", (path, java) -> java + ":" + path);
            Process process = builder.start();
            try {
                assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
        }
    }

    @Test
    void runsTheCommandWithWhatItIsGiven() throws Exception {
        Ended help = run(entryPoint(words("CMD")), "-Xmx768m");
        assertThat(help.code()).as(help.out()).isZero();
        assertThat(help.out()).startsWith("Usage: praline ");

        // no option of the JVM is lost, and no argument is split
        assertThat(run(entryPoint(List.of("jobs", "two words")), "-Xmx768m -XX:+UseSerialGC"))
                .isEqualTo(new Ended(2, "praline: unexpected argument 'two words'; see 'praline jobs --help'\n"));
    }

    @Test
    void givesTheFlagsThatTheScriptGivesAWorker() throws IOException {
        String script = Files.readString(ROOT.resolve("praline"));
        Stream<String> flags = Arrays.stream(words("ENTRYPOINT").get(2).split(" ", -1));
        assertThat(flags.filter(word -> word.startsWith("-X") || word.startsWith("-D")))
                .isNotEmpty()
                .allSatisfy(flag -> assertThat(script).contains(flag));
        assertThat(only("ENV")).isEqualTo("TF_CPP_MIN_LOG_LEVEL=1 PRALINE_JAVA_OPTS=-Xmx768m");
        assertThat(script).contains("worker) options+=(-Xmx768m ", "TF_CPP_MIN_LOG_LEVEL:-1}");
    }

    // the jars that the dependency plugin copies, and the command's own beside them
    @Test
    void takesItsJarsFromWhereTheBuildPutsThem() throws IOException {
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains(
                        "<artifactId>deploy</artifactId>",
                        "<outputDirectory>${project.build.directory}/dist/lib</outputDirectory>");
        String folder = only("WORKDIR");
        assertThat(instructions("RUN").get(0))
                .contains("-pl deploy -am package")
                .endsWith("&& cp deploy/target/deploy-*.jar deploy/target/dist/lib/");
        assertThat(instructions("COPY"))
                .containsExactly(". .", "--from=build " + folder + "/deploy/target/dist/lib " + LIB);
    }
}
