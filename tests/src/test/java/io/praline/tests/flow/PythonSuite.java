package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Element;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cli.Praline;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.Ended;
import io.praline.tests.rig.Numbers;
import io.praline.tests.rig.Python;
import io.praline.tests.rig.PythonPackages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.Operand;
import org.tensorflow.types.TBfloat16;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/**
 * The tests of Python's package, by pytest, against the shared cluster; with what the Java client yields to compare. A class
 * of tests runs some of its files, so that several of them run side by side.
 */
final class PythonSuite {
    static final Path PYTHON =
            Path.of("..", "client-consumer", "python").toAbsolutePath().normalize();

    private static final int SIDE = 64;

    /** Pytest is content, too, where all were skipped. */
    private static final Pattern PASSED = Pattern.compile("\\b[1-9]\\d* passed");

    private PythonSuite() {}

    /** The files that hold tests, without their ending. */
    static List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(PYTHON.resolve("tests"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("test_") && name.endsWith(".py"))
                    .map(name -> name.substring(0, name.length() - ".py".length()))
                    .sorted()
                    .toList();
        }
    }

    /** Those of these marks in these files. */
    static void passes(String marks, Duration within, List<String> files) throws Exception {
        Path python = PythonPackages.require("numpy", "ml_dtypes", "pytest");
        Cluster cluster = Cluster.shared();
        Path folder = Files.createTempDirectory(cluster.folder(), "python-");
        // 1,024 images of 16 KiB: batches of 16 have 256 KiB, an epoch 16 MiB
        Numbers numbers = Numbers.write(folder.resolve("data"), 4, 256);
        Path graph = Files.write(folder.resolve("pipeline.pb"), pipeline().graph());
        try (PralineClient client = cluster.client()) {
            Path rows = Files.writeString(folder.resolve("rows.jsonl"), rows(client, numbers));
            HttpServer states = states(client);
            try {
                Ended ended = Command.of(python.toString(), "-m", "pytest", "-q", "-rs", "-x", "-p", "no:cacheprovider")
                        .and("-m", marks, "--durations", "10", "--durations-min", "1")
                        .and(files.stream().map(file -> "tests/" + file + ".py").toArray(String[]::new))
                        .in(PYTHON)
                        .with("PYTHONPATH", PYTHON.toString())
                        .with("PYTHONDONTWRITEBYTECODE", "1")
                        .with("PRALINE_HOME", folder.resolve("home").toString())
                        .with(
                                "PRALINE_URL",
                                "kafka://" + cluster.kafka().bootstrap() + "?registry="
                                        + cluster.kafka().registryUrl() + "&secret=" + cluster.secretFile()
                                        + "&page=http://page.example/")
                        .with(
                                "PRALINE_FEED",
                                inWords(Command.java(Praline.class).words()) + " feed")
                        .with(
                                "PRALINE_TEST_STATES",
                                "http://127.0.0.1:" + states.getAddress().getPort() + "/")
                        .with("PRALINE_TEST_PIPELINE", graph.toString())
                        .with("PRALINE_TEST_DATA", numbers.glob())
                        .with("PRALINE_TEST_ROWS", rows.toString())
                        .run(within);

                assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
                // each that was skipped with its reason, frameworks that are not installed; and what took long
                ended.out()
                        .lines()
                        .filter(line -> line.startsWith("SKIPPED") || line.contains("s call "))
                        .forEach(System.out::println);
                if (!PASSED.matcher(ended.out()).find()) {
                    Python.skip("nothing that " + files + " need is installed");
                }
            } finally {
                states.stop(0);
            }
        }
    }

    /** Gives the state of the job that is asked for, as text: a command would be another JVM each time. */
    private static HttpServer states(PralineClient client) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", exchange -> answer(exchange, client));
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, PralineClient client) throws IOException {
        try (exchange) {
            String job = exchange.getRequestURI().getPath().substring(1);
            byte[] state = client.status(job)
                    .map(status -> status.getState().toString())
                    .orElse("unknown")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, state.length);
            exchange.getResponseBody().write(state);
        }
    }

    private static String inWords(List<String> words) {
        return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    }

    private static Pipeline pipeline() {
        return Pipeline.tfRecords()
                .mapElement("parse", (tf, x) -> {
                    Operand<TInt64> number = tf.strings.toNumber(x.as(TString.class), TInt64.class);
                    Operand<TFloat32> value = tf.dtypes.cast(number, TFloat32.class);
                    return Element.of()
                            .and("number", number)
                            .and("image", tf.fill(tf.constant(new int[] {SIDE, SIDE}), value))
                            .and("text", x.as(TString.class))
                            .and("half", tf.dtypes.cast(number, TBfloat16.class));
                })
                .batch(16);
    }

    /** A line of JSON an element, as the Java client yields it. */
    private static String rows(PralineClient client, Numbers numbers) throws IOException {
        List<String> lines = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        try (BatchStream stream = client.submit(JobSpec.of(pipeline()).data(numbers.glob()))) {
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    FloatBuffer images = batch.component("image").floats();
                    List<String> texts = batch.component("text").strings();
                    ShortBuffer halves = batch.component("half").bytes().asShortBuffer();
                    for (int at = 0; at < texts.size(); at++) {
                        double sum = 0;
                        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
                            sum += images.get(at * SIDE * SIDE + pixel);
                        }
                        lines.add(json.writeValueAsString(Map.of(
                                "number",
                                batch.component("number").longs().get(at),
                                "image",
                                sum,
                                "text",
                                texts.get(at),
                                "half",
                                Float.intBitsToFloat(halves.get(at) << 16))));
                    }
                }
            }
            assertThat(lines).hasSize(numbers.all().size());
        }
        return String.join("\n", lines);
    }
}
