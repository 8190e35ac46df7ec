package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.local.ChildProcess;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.OwnKafka;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.wire.ConsumerToken;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every program, in a process of its own, as a user of a secured Kafka who may do what {@code deploy/ACLS.md} lists for it
 * and nothing else; and what those are told who may not.
 */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@OwnKafka("its brokers ask for passwords and check rights")
class SecuredKafkaTest {
    private static final int WRONG_USE = 2;
    private static final int UNREACHABLE = 5;

    /** On a machine that is busy with other tests, and a JVM's start is in it; by itself each takes less than ten. */
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(40);

    /** For all programs that stay; each comes in a few seconds where nothing runs beside it. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static Path folder;
    private static Path secret;
    private static Path pipeline;
    private static Path endless;
    private static ListedRights listed;
    private static SecuredKafka kafka;
    private static GuardedRegistry registry;
    private static Path dispatcherUser;
    private static Path workerUser;
    private static Path clientUser;
    private static final List<ChildProcess> SERVING = new ArrayList<>();

    private record Ended(int code, List<String> lines, Duration took) {

        String text() {
            return String.join("\n", lines);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "secured-");
        secret = folder.resolve("secret");
        ConsumerToken.createSecret(secret);
        pipeline = range("range", 1_000, 1);
        endless = range("endless", 1_000_000, 20_000);
        listed = ListedRights.read();
        registry = GuardedRegistry.before(Cluster.shared().kafka().registryUrl());
        kafka = SecuredKafka.start(folder.resolve("kafka"));

        createTopics();
        dispatcherUser = user("dispatcher", "dispatcher");
        workerUser = user("worker", "worker");
        clientUser = user("client", "client");
        serve(List.of(() -> dispatcher("dispatcher", dispatcherUser), () -> worker("worker", workerUser)));
    }

    /**
     * What became of a command that reached Kafka. It gives that a few seconds for an answer, and ends then: on a machine that does
     * much else it is given again, as by whoever runs it.
     */
    private static Ended reaching(Callable<Ended> command) {
        return await().atMost(PATIENCE).until(command, ended -> !ended.text()
                .contains("Kafka at " + kafka.bootstrap() + " cannot be reached: "));
    }

    private static void createTopics() throws Exception {
        Path creator = user("creator", "topics create");
        Ended created = reaching(() -> ended(praline("topics", creator, "topics", "create")));
        assertThat(created.code()).as(created.text()).isZero();
    }

    /** Until each of them says so; who has not reached Kafka is started again, as by whoever runs it. */
    private static void serve(List<Supplier<ChildProcess>> programs) {
        programs.forEach(program -> SERVING.add(program.get()));
        await().atMost(PATIENCE).until(() -> {
            for (int i = 0; i < programs.size(); i++) {
                if (!SERVING.get(i).alive() && SERVING.get(i).exitCode() == UNREACHABLE) {
                    SERVING.set(i, programs.get(i).get());
                }
            }
            return SERVING.stream()
                    .allMatch(program -> program.lines().stream().anyMatch(line -> line.contains(" serves")));
        });
    }

    @AfterAll
    static void end() {
        SERVING.forEach(ChildProcess::close);
        if (kafka != null) {
            kafka.close();
        }
        if (registry != null) {
            registry.close();
        }
    }

    private static Path range(String name, int to, int sleepMicros) throws IOException {
        return Files.writeString(folder.resolve(name + ".yaml"), """
                source:
                  range: {to: %d}
                steps:
                  - batch: {size: 10}
                  - sleep: {microseconds: %d}
                names: [number]
                """.formatted(to, sleepMicros));
    }

    /** A user with the rights that the document lists for these programs. */
    private static Path user(String name, String... columns) throws Exception {
        Set<AclBinding> rights = new HashSet<>();
        for (String column : columns) {
            rights.addAll(listed.of(name, column));
        }
        return kafka.user(name, rights);
    }

    /** One with all of them but some. */
    private static Path userWithout(String name, String column, Predicate<AclBinding> lacking) throws Exception {
        Set<AclBinding> rights = listed.of(name, column);
        assertThat(rights.removeIf(lacking)).isTrue();
        return kafka.user(name, rights);
    }

    private static Predicate<AclBinding> right(AclOperation operation, String resource) {
        return right ->
                right.entry().operation() == operation && right.pattern().name().equals(resource);
    }

    /** The command, in a process of its own that logs all that Kafka's clients have to say. */
    private static ChildProcess praline(String name, Path user, String... args) {
        return start(name, user, args, Map.of("JAVA_TOOL_OPTIONS", "-Dpraline.log.kafka=INFO"));
    }

    /** The command, in a process of its own as a user starts it. */
    private static ChildProcess plain(String name, Path user, String... args) {
        return start(name, user, args, Map.of());
    }

    private static ChildProcess start(String name, Path user, String[] args, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("PRALINE_HOME", folder.toString());
        return ChildProcess.start(new ChildProcess.Spec(
                name, Praline.class.getName(), words(user, args), folder.resolve(name + ".log"), 256, 256, all));
    }

    private static List<String> words(Path user, String... command) {
        List<String> words = new ArrayList<>(Arrays.asList(command));
        words.addAll(List.of("--bootstrap", kafka.bootstrap(), "--registry", registry.url()));
        words.addAll(List.of("--kafka-config", user.toString()));
        return words;
    }

    private static ChildProcess dispatcher(String name, Path user) {
        return praline(
                name,
                user,
                "dispatcher",
                "--instance",
                name,
                "--state-dir",
                folder.resolve(name).toString());
    }

    private static ChildProcess worker(String name, Path user) {
        return praline(
                name,
                user,
                "worker",
                "--id",
                name,
                "--slots",
                "2",
                "--memory-mb",
                "500",
                "--secret-file",
                secret.toString());
    }

    private static ChildProcess run(String job, Path user, Path pipeline, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "run", "--job", job, "--pipeline", pipeline.toString(), "--secret-file", secret.toString(), "--json"));
        words.addAll(Arrays.asList(more));
        return praline("run-" + job, user, words.toArray(String[]::new));
    }

    private static Ended ended(ChildProcess command) throws InterruptedException {
        long from = System.nanoTime();
        try (command) {
            assertThat(command.awaitEnd(Duration.ofSeconds(90)))
                    .as(String.join("\n", command.lines()))
                    .isTrue();
            return new Ended(command.exitCode(), command.lines(), Duration.ofNanos(System.nanoTime() - from));
        }
    }

    private static void assertComplete(Ended run, long elements) throws IOException {
        assertThat(run.code()).as(run.text()).isZero();
        String object = run.lines().stream()
                .filter(line -> line.startsWith("{"))
                .reduce((one, next) -> next)
                .orElseThrow();
        JsonNode told = new ObjectMapper().readTree(object);
        assertThat(told.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(told.path("elements").asLong()).isEqualTo(elements);
        assertThat(told.path("missing").asLong(-1)).isZero();
        assertThat(told.path("duplicates").asLong(-1)).isZero();
    }

    private static void assertWorks(Path user, String shown, String... command) {
        Ended ended = reaching(() -> inThisProcess(user, command));
        assertThat(ended.code()).as(ended.text()).isZero();
        assertThat(ended.text()).contains(shown);
    }

    @Test
    void theCommandsOfTheDocumentGrantWhatItsTablesList() throws Exception {
        Set<AclBinding> tables = new HashSet<>();
        for (String program : List.of("dispatcher", "worker", "client", "actuator")) {
            tables.addAll(listed.of(program, program));
        }
        assertThat(listed.ofTheCommands()).isEqualTo(tables);
        assertThat(listed.topics())
                .containsExactlyInAnyOrderElementsOf(
                        Topics.all().stream().map(Topic::name).toList());
    }

    @Test
    void everyProgramWorksWithTheRightsThatAreListedForIt() throws Exception {
        assertComplete(reaching(() -> ended(run("granted", clientUser, pipeline))), 1_000);

        Path viewer = user("viewer", "jobs");
        assertWorks(viewer, "\"job\":\"granted\"", "jobs", "--json");
        assertWorks(viewer, "granted", "job", "granted");
        assertWorks(user("watcher", "workers"), "\"worker\":\"worker\"", "workers", "--json");
        assertWorks(user("steward", "pools"), "\"pool\":\"default\"", "pools", "--json");
        Path auditor = user("auditor", "explain");
        assertWorks(auditor, "granted", "explain", "granted");
        Path journal = folder.resolve("granted.avro");
        assertWorks(auditor, "entries of job granted", "journal", "export", "granted", "--to", journal.toString());
        assertWorks(auditor, "matches", "policy", "replay", "granted");
        Path lister = user("lister", "topics list");
        Ended list = reaching(() -> inThisProcess(lister, "topics", "list", "--json"));
        assertThat(list.code()).as(list.text()).isZero();
        assertThat(list.text()).contains("\"topic\":\"quarantine\"").doesNotContain("\"difference\"");

        try (ChildProcess running = run("cancelled", clientUser, endless)) {
            await().atMost(Duration.ofSeconds(90))
                    .until(() ->
                            inThisProcess(viewer, "job", "cancelled").text().contains("RUNNING"));
            assertWorks(user("operator", "job cancel"), "cancelled", "job", "cancel", "cancelled");
            assertThat(ended(running).text()).contains("cancelled");
        }
        assertNothingWasSaidOfSecrets();
    }

    @Test
    void thePageShowsAllButHowFarTheDispatcherIsBehind() throws Exception {
        assertComplete(reaching(() -> ended(run("watched", clientUser, pipeline))), 1_000);
        try (ChildProcess console = praline("console", user("looker", "console"), "console", "--port", "0")) {
            String url = await().atMost(Duration.ofSeconds(90))
                    .until(
                            () -> console.lines().stream()
                                    .map(line -> line.replaceFirst(".*(http://127[^ ]*).*", "$1"))
                                    .filter(line -> line.startsWith("http://127"))
                                    .findFirst(),
                            Optional::isPresent)
                    .orElseThrow();
            await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                assertThat(page(url, "jobs")).contains("\"job\":\"watched\"");
                assertThat(page(url, "workers")).contains("\"worker\":\"worker\"");
                assertThat(page(url, "pools")).contains("\"pool\":\"default\"");
                assertThat(page(url, "jobs/watched/course")).contains("\"atMillis\":[");
                assertThat(page(url, "topics")).contains("\"lagUnknown\":\"").doesNotContain("not asked yet");
            });
        }
    }

    private static String page(String url, String figures) throws Exception {
        HttpRequest asked = HttpRequest.newBuilder(URI.create(url).resolve("/api/v1/" + figures))
                .build();
        return HttpClient.newHttpClient()
                .send(asked, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void workersOfATrainerAndOfAnActuatorArePartOfTheirUsersRights() throws Exception {
        Set<AclBinding> rights = listed.of("host", "client");
        rights.addAll(listed.of("host", "worker"));
        listed.of("host", "actuator").stream()
                .filter(right -> right.pattern().name().equals("scaling-commands"))
                .forEach(rights::add);
        Path host = kafka.user("host", rights);
        try (ChildProcess run = run(
                "local",
                host,
                range("local", 1_000, 20_000),
                "--max-remote",
                "0",
                "--max-local",
                "1",
                "--policy",
                "fixed",
                "--set",
                "remote=0",
                "--set",
                "local=1")) {
            assertCommandLinesAreClean(run);
            assertComplete(ended(run), 1_000);
        }

        Path actuator = user("actuator", "actuator", "worker");
        try (ChildProcess running = praline(
                "actuator",
                actuator,
                "actuator",
                "--local",
                "--min",
                "1",
                "--max",
                "1",
                "--pool",
                "actuated",
                "--data-dir",
                folder.resolve("actuated").toString(),
                "--secret-file",
                secret.toString())) {
            assertCommandLinesAreClean(running);
            assertComplete(reaching(() -> ended(run("actuated", clientUser, pipeline, "--pool", "actuated"))), 1_000);
        }
        assertNothingWasSaidOfSecrets();
    }

    /** Waits until the program has started a worker, which got the file and not what is in it. */
    private static void assertCommandLinesAreClean(ChildProcess program) throws IOException, InterruptedException {
        ProcessHandle self = ProcessHandle.of(program.pid()).orElseThrow();
        await().atMost(Duration.ofSeconds(90))
                .until(() -> self.children().findFirst().isPresent());
        long worker = self.children().findFirst().orElseThrow().pid();
        String arguments = Command.of("ps", "-ww", "-o", "args=", "-p", Long.toString(worker))
                .run()
                .out();
        assertThat(arguments).contains("--kafka-config", ".properties").doesNotContain(SecuredKafka.HUSH);
    }

    private static void assertNothingWasSaidOfSecrets() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> logs = files.filter(
                            file -> file.toString().endsWith(".log") && !file.startsWith(folder.resolve("kafka")))
                    .toList();
            assertThat(logs).anySatisfy(log -> assertThat(log).content().contains("sasl.jaas.config = [hidden]"));
            assertThat(logs).allSatisfy(log -> assertThat(log).content().doesNotContain(SecuredKafka.HUSH));
        }
    }

    @Test
    void aRecordThatCannotBeReadIsQuarantined() throws Exception {
        Properties owner = kafka.ownerProperties();
        byte[] key = "default".getBytes(StandardCharsets.UTF_8);
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(owner, new ByteArraySerializer(), new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(owner, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            producer.send(new ProducerRecord<>(
                            Topics.JOB_REQUESTS.name(), key, "unreadable".getBytes(StandardCharsets.UTF_8)))
                    .get();
            TopicPartition quarantine = new TopicPartition(Topics.QUARANTINE.name(), 0);
            consumer.assign(List.of(quarantine));
            consumer.seekToBeginning(List.of(quarantine));
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> !consumer.poll(Duration.ofMillis(200)).isEmpty());
        }
    }

    @Test
    void aUserWithoutRightsIsToldWhichInOneLine() throws Exception {
        Path nobody = kafka.user("nobody", Set.of());
        String[] told = {"does not allow this user enough: ", "grant what deploy/ACLS.md lists"};
        for (String[] command : servers()) {
            assertToldInTime(() -> ended(plain("nobody-" + command[0], nobody, command)), told);
        }
        for (String[] command : questions()) {
            assertToldInTime(() -> inThisProcess(nobody, command), told);
        }
    }

    @Test
    void aWrongPasswordIsToldInOneLine() throws Exception {
        Path wrong = kafka.clientFile("client", "wrong-" + SecuredKafka.HUSH);
        String[] told = {kafka.bootstrap(), "does not let this user in", "sasl properties in the file of --kafka-config"
        };
        assertToldInTime(() -> ended(plain("wrong-dispatcher", wrong, servers().get(0))), told);
        for (String[] command : questions()) {
            assertToldInTime(() -> inThisProcess(wrong, command), told);
        }
    }

    @Test
    void aCertificateThatNobodyVouchesForIsToldInOneLine() throws Exception {
        List<String> lines = Files.readAllLines(kafka.clientFile("client", "client-" + SecuredKafka.HUSH)).stream()
                .filter(line -> !line.startsWith("ssl."))
                .toList();
        Path trustless = Files.write(folder.resolve("trustless.properties"), lines);
        assertToldInTime(
                () -> inThisProcess(trustless, "jobs"),
                "do not trust each other",
                "ssl properties in the file of --kafka-config");
    }

    @Test
    void aFileThatCannotBeMeantIsToldInOneLine() throws Exception {
        String good = Files.readString(clientUser);
        Path noStore = Files.writeString(folder.resolve("no-store.properties"), good.replace("trust.p12", "none.p12"));
        Path noProtocol =
                Files.writeString(folder.resolve("no-protocol.properties"), good.replace("=SASL_SSL", "=SASL_TSL"));
        for (String command : List.of("jobs", "workers")) {
            assertWrong(inThisProcess(noStore, command), "none.p12");
            assertWrong(inThisProcess(noProtocol, command), "SASL_TSL");
        }
        String[] run = {"run", "--secret-file", secret.toString(), "--pipeline", pipeline.toString()};
        assertWrong(inThisProcess(noStore, run), "none.p12");
        assertWrong(inThisProcess(noProtocol, run), "SASL_TSL");
    }

    private static void assertWrong(Ended told, String named) {
        assertThat(told.lines())
                .singleElement()
                .asString()
                .startsWith("praline: kafka settings: ")
                .contains(named, "check the file of --kafka-config");
        assertThat(told.code()).isEqualTo(WRONG_USE);
    }

    @Test
    void aRegistryThatDoesNotLetUsInIsToldInOneLine() throws Exception {
        List<String> lines = Files.readAllLines(clientUser).stream()
                .filter(line -> !line.startsWith("schema.registry."))
                .toList();
        Path stranger = Files.write(folder.resolve("stranger.properties"), lines);
        assertToldInTime(
                () -> inThisProcess(
                        stranger, "run", "--secret-file", secret.toString(), "--pipeline", pipeline.toString()),
                "registry at " + registry.url() + " does not let this user in",
                "schema.registry.");
    }

    private static List<String[]> servers() {
        return List.of(
                new String[] {
                    "dispatcher",
                    "--instance",
                    "told",
                    "--state-dir",
                    folder.resolve("told").toString()
                },
                new String[] {"worker", "--secret-file", secret.toString()},
                new String[] {"actuator", "--local", "--secret-file", secret.toString()});
    }

    private static List<String[]> questions() {
        return List.of(
                new String[] {"topics", "create"},
                new String[] {"run", "--secret-file", secret.toString(), "--pipeline", pipeline.toString()},
                new String[] {"jobs"},
                new String[] {"workers"},
                new String[] {"explain", "some-job"});
    }

    private static Ended inThisProcess(Path user, String... command) {
        StringWriter told = new StringWriter();
        long from = System.nanoTime();
        int code = Praline.run(
                new PrintWriter(told, true),
                new PrintWriter(told, true),
                words(user, command).toArray(String[]::new));
        return new Ended(code, told.toString().lines().toList(), Duration.ofNanos(System.nanoTime() - from));
    }

    private static void assertToldInTime(Callable<Ended> command, String... parts) {
        Ended told = reaching(command);
        // TensorFlow greets before it knows how much it may say
        List<String> lines = told.lines().stream()
                .filter(line -> !line.startsWith("WARNING: All log messages before") && !line.startsWith("I0000 "))
                .toList();
        assertThat(lines).singleElement().asString().startsWith("praline: ").contains(parts);
        assertThat(told.code()).isEqualTo(UNREACHABLE);
        assertThat(told.took()).isLessThan(TOLD_WITHIN);
    }

    @Test
    void oneRightThatIsMissingIsNamed() throws Exception {
        Path worker = userWithout("worker-without", "worker", right(AclOperation.WRITE, "splits"));
        assertLacks("WRITE on topic splits", worker, "worker", "--secret-file", secret.toString());
        Path client = userWithout("client-without", "client", right(AclOperation.READ, "jobs"));
        assertToldInTime(
                () -> inThisProcess(
                        client, "run", "--secret-file", secret.toString(), "--pipeline", pipeline.toString()),
                "READ on topic jobs");
    }

    /** Its own group, transactional ids and changelogs are found wanting where Kafka Streams needs them. */
    @Test
    void aDispatcherThatMayNotDoAllEndsAndSaysSo() throws Exception {
        assertDispatcherEnds("group", right(AclOperation.READ, "praline-dispatcher"), "group: praline-dispatcher");
        assertDispatcherEnds(
                "transactions",
                right(AclOperation.WRITE, "praline-dispatcher"),
                "it lacks WRITE on its transactional id");
        assertDispatcherEnds(
                "changelogs",
                right(AclOperation.CREATE, "praline-dispatcher-"),
                "topic praline-dispatcher-without-changelogs-ledger-changelog");
    }

    private static void assertDispatcherEnds(String without, Predicate<AclBinding> lacking, String told)
            throws Exception {
        String name = "without-" + without;
        Path user = userWithout(name, "dispatcher", lacking);
        Ended ended = reaching(() -> ended(plain(
                name,
                user,
                "dispatcher",
                "--application",
                "praline-dispatcher-" + name,
                "--state-dir",
                folder.resolve(name).toString())));
        assertThat(ended.lines().get(ended.lines().size() - 1))
                .as(ended.text())
                .startsWith("praline: ")
                .contains(told, "grant what deploy/ACLS.md lists");
        assertThat(ended.code()).isEqualTo(UNREACHABLE);
        assertThat(ended.took()).isLessThan(TOLD_WITHIN);
    }

    private static void assertLacks(String right, Path user, String... command) throws InterruptedException {
        assertToldInTime(
                () -> ended(plain("lacks-" + user.getFileName(), user, command)),
                right,
                "grant what deploy/ACLS.md lists");
    }
}
