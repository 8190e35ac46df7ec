package io.praline.deploy.cluster;

import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which cluster a command talks to: the one the user names, else the one that {@code praline up} started. */
public final class ClusterOptions {

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "Kafka; without it the cluster that 'praline up' started.")
    private String bootstrap = "";

    @Option(names = "--registry", paramLabel = "URL", description = "Any Confluent-compatible schema registry.")
    private String registry = "";

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description = "Properties of Kafka's clients (SASL, TLS, ...), and of the registry's with the prefix"
                    + " schema.registry.")
    private Path kafkaConfig;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "The secret that workers and clients share; without it ~/.praline/secret.")
    private Path secretFile;

    public KafkaSettings kafka() {
        return kafka(HomeOption.home());
    }

    public KafkaSettings kafka(Home home) {
        if (bootstrap.isEmpty() != registry.isEmpty()) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "--bootstrap and --registry go together; give both, or none for the cluster of 'praline up'");
        }
        Optional<Path> config = Optional.ofNullable(kafkaConfig);
        if (!bootstrap.isEmpty()) {
            return KafkaSettings.load(bootstrap, registry, config);
        }
        Endpoints found = endpoints(home);
        return KafkaSettings.load(found.bootstrap(), found.registry(), config);
    }

    /** The file of the secret that clients and workers share. */
    public Path secret() {
        return secret(HomeOption.home());
    }

    public Path secret(Home home) {
        if (secretFile != null) {
            return secretFile;
        }
        return bootstrap.isEmpty() ? endpoints(home).secretFile() : home.secret();
    }

    /** Where graphs go that are too large for a record; empty where only the user can know. */
    Optional<Path> graphs() {
        return bootstrap.isEmpty() ? Optional.of(endpoints(HomeOption.home()).graphs()) : Optional.empty();
    }

    /** The same choice as options of another command: where Kafka and the registry are, and the secret. */
    public List<String> arguments() {
        KafkaSettings kafka = kafka();
        List<String> words = new ArrayList<>(List.of(
                "--bootstrap",
                kafka.bootstrap(),
                "--registry",
                kafka.registryUrl(),
                "--secret-file",
                secret().toString()));
        if (kafkaConfig != null) {
            words.addAll(List.of("--kafka-config", kafkaConfig.toString()));
        }
        return words;
    }

    private static Endpoints endpoints(Home home) {
        Endpoints found = Endpoints.read(home.endpoints())
                .orElseThrow(
                        () -> new CommandFailed(
                                ExitCode.UNREACHABLE,
                                "no cluster is known; start one with 'praline up' in another terminal, or give --bootstrap and --registry"));
        if (!found.alive(home.endpoints())) {
            throw new CommandFailed(
                    ExitCode.UNREACHABLE,
                    "the cluster that 'praline up' started at " + found.bootstrap()
                            + " has ended; start it again with 'praline up', or give --bootstrap and --registry");
        }
        return found;
    }
}
