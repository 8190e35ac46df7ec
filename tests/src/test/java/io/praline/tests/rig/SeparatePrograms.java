package io.praline.tests.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.deploy.cli.Praline;
import io.praline.deploy.local.ChildProcess;
import io.praline.topics.KafkaSettings;
import io.praline.topics.TopicAdmin;
import io.praline.worker.WorkerMain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Dispatcher and workers on a Kafka that is there already, each in a process of its own and started as a user does. */
final class SeparatePrograms implements Cluster.Programs {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final KafkaSettings kafka;
    private final Path secretFile;
    private final Path folder;
    private final Path workFolder;
    private final ChildProcess dispatcher;
    private final Map<String, ChildProcess> workers = new TreeMap<>();

    private SeparatePrograms(KafkaSettings kafka, Path secretFile, Path folder, Path workFolder) {
        this.kafka = kafka;
        this.secretFile = secretFile;
        this.folder = folder;
        this.workFolder = workFolder;
        this.dispatcher = start(
                "dispatcher",
                Praline.class,
                512,
                List.of(
                        "dispatcher",
                        "--instance",
                        "flows",
                        "--state-dir",
                        folder.resolve("dispatcher").toString()));
    }

    /** On a Kafka that holds nothing of Praline. */
    static SeparatePrograms on(ExternalKafka external, Path secretFile, Path folder, Path workFolder) {
        try (TopicAdmin admin = TopicAdmin.connect(external.settings())) {
            admin.createMissing();
        }
        return new SeparatePrograms(external.settings(), secretFile, folder, workFolder);
    }

    private ChildProcess start(String name, Class<?> program, int heapMegabytes, List<String> args) {
        List<String> all = new ArrayList<>(args);
        all.addAll(List.of("--bootstrap", kafka.bootstrap(), "--registry", kafka.registryUrl()));
        return ChildProcess.start(new ChildProcess.Spec(
                name,
                program.getName(),
                all,
                folder.resolve(name + ".log"),
                heapMegabytes,
                256,
                Map.of(),
                Optional.of(workFolder)));
    }

    @Override
    public KafkaSettings kafka() {
        return kafka;
    }

    @Override
    public Collection<ChildProcess> workers() {
        return List.copyOf(workers.values());
    }

    @Override
    public ChildProcess startWorker(String id) {
        List<String> words = new ArrayList<>(List.of(
                "--id",
                id,
                "--slots",
                Integer.toString(Cluster.SLOTS),
                "--unix-socket",
                folder.resolve(id + ".sock").toString(),
                "--secret-file",
                secretFile.toString()));
        words.addAll(Cluster.stores(folder));
        ChildProcess worker = start(id, WorkerMain.class, 256, words);
        ChildProcess before = workers.put(id, worker);
        if (before != null) {
            before.close();
        }
        return worker;
    }

    @Override
    public void awaitReady() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(dispatcher.lines()).anyMatch(line -> line.contains(" serves"));
            String seen = seen();
            workers.forEach((id, worker) -> assertThat(seen.contains("\"worker\":\"" + id + "\"") || !worker.alive())
                    .as(id + " is seen, or was killed")
                    .isTrue());
        });
    }

    private String seen() {
        StringWriter out = new StringWriter();
        Praline.run(
                new PrintWriter(out),
                new PrintWriter(new StringWriter()),
                "workers",
                "--json",
                "--bootstrap",
                kafka.bootstrap(),
                "--registry",
                kafka.registryUrl());
        return out.toString();
    }

    @Override
    public void close() {
        workers.values().forEach(ChildProcess::close);
        dispatcher.close();
    }
}
