package io.praline.tests.flow;

import io.praline.deploy.embedded.Ports;
import io.praline.deploy.local.ChildProcess;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.Ended;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclBinding;

/**
 * Kafka's own server in a process of its own, as an administrator would secure it: TLS and SCRAM on its only listener for
 * clients, and an authorizer that allows nothing that no ACL allows. Who asks is told apart by user; the user
 * {@value #OWNER} may do all.
 */
final class SecuredKafka implements AutoCloseable {
    static final String OWNER = "owner";

    /** What all passwords contain: nothing that a program prints may. */
    static final String HUSH = "hush-hush";

    private static final String MECHANISM = "SCRAM-SHA-512";
    private static final int ITERATIONS = 4_096;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path folder;
    private final int port;
    private final ChildProcess server;

    private SecuredKafka(Path folder, int port, ChildProcess server) {
        this.folder = folder;
        this.port = port;
        this.server = server;
    }

    /** Returns when it answers its owner. */
    static SecuredKafka start(Path folder) throws Exception {
        Files.createDirectories(folder);
        stores(folder);
        List<Integer> ports = Ports.free(2);
        int port = ports.get(0);
        Path settings = Files.writeString(folder.resolve("server.properties"), server(folder, port, ports.get(1)));
        ChildProcess format = java(
                folder,
                "format",
                "kafka.tools.StorageTool",
                "format",
                "--cluster-id",
                Uuid.randomUuid().toString(),
                "--config",
                settings.toString(),
                "--add-scram",
                MECHANISM + "=[name=" + OWNER + ",iterations=" + ITERATIONS + ",password=" + password(OWNER) + "]");
        if (!format.awaitEnd(PATIENCE) || format.exitCode() != 0) {
            throw new IllegalStateException("no storage for Kafka: " + format.lines());
        }
        SecuredKafka kafka = new SecuredKafka(folder, port, java(folder, "server", "kafka.Kafka", settings.toString()));
        kafka.awaitUp();
        return kafka;
    }

    String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** Makes a user who may do this, and gives the file that lets a client be that user. */
    Path user(String name, Collection<AclBinding> rights) throws Exception {
        try (Admin admin = owner()) {
            UserScramCredentialAlteration credential = new UserScramCredentialUpsertion(
                    name, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS), password(name));
            admin.alterUserScramCredentials(List.of(credential)).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            admin.createAcls(rights).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        return clientFile(name, password(name));
    }

    /** The file of a client that says it is this user. */
    Path clientFile(String user, String password) throws IOException {
        Path file = folder.resolve(user + "-" + Integer.toHexString(password.hashCode()) + ".properties");
        return Files.writeString(file, client(user, password));
    }

    Admin owner() {
        return Admin.create(ownerProperties());
    }

    Properties ownerProperties() {
        Properties properties = new Properties();
        client(OWNER, password(OWNER)).lines().forEach(line -> {
            int equals = line.indexOf('=');
            properties.put(line.substring(0, equals), line.substring(equals + 1));
        });
        properties.put("bootstrap.servers", bootstrap());
        return properties;
    }

    private String client(String user, String password) {
        return """
                security.protocol=SASL_SSL
                sasl.mechanism=%s
                sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="%s" password="%s";
                ssl.truststore.location=%s
                ssl.truststore.password=%s
                schema.registry.basic.auth.credentials.source=USER_INFO
                schema.registry.basic.auth.user.info=%s
                """.formatted(
                MECHANISM, user, password, folder.resolve("trust.p12"), password("trust"), GuardedRegistry.USER_INFO);
    }

    private static String password(String of) {
        return of + "-" + HUSH;
    }

    private void awaitUp() throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (Admin admin = owner()) {
            while (true) {
                try {
                    admin.describeCluster().nodes().get(1, TimeUnit.SECONDS);
                    return;
                } catch (Exception notYet) {
                    if (!server.alive() || System.nanoTime() - deadline > 0) {
                        throw new IllegalStateException("Kafka did not start: " + server.lines(), notYet);
                    }
                }
            }
        }
    }

    /** A key of the server's own, and who trusts it. */
    private static void stores(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path key = folder.resolve("key.p12");
        Ended keytool = Command.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "kafka",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        key.toString(),
                        "-storepass",
                        password("key"))
                .run();
        if (keytool.code() != 0) {
            throw new IllegalStateException("no key: " + keytool.out() + keytool.err());
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(key)) {
            keys.load(in, password("key").toCharArray());
        }
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("kafka", keys.getCertificate("kafka"));
        try (OutputStream out = Files.newOutputStream(folder.resolve("trust.p12"))) {
            trust.store(out, password("trust").toCharArray());
        }
    }

    /** The cleaner's buffer is half of the heap that it is given, where nothing is said. */
    private static String server(Path folder, int port, int controllerPort) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=CLIENTS://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=CLIENTS://127.0.0.1:%1$d
                listener.security.protocol.map=CLIENTS:SASL_SSL,CONTROLLER:SASL_SSL
                inter.broker.listener.name=CLIENTS
                controller.listener.names=CONTROLLER
                sasl.enabled.mechanisms=%4$s
                sasl.mechanism.inter.broker.protocol=%4$s
                sasl.mechanism.controller.protocol=PLAIN
                listener.name.clients.scram-sha-512.sasl.jaas.config=\
                org.apache.kafka.common.security.scram.ScramLoginModule required username="owner" password="%5$s";
                listener.name.controller.sasl.enabled.mechanisms=PLAIN
                listener.name.controller.plain.sasl.jaas.config=\
                org.apache.kafka.common.security.plain.PlainLoginModule required username="owner" password="%5$s" user_owner="%5$s";
                ssl.keystore.location=%3$s/key.p12
                ssl.keystore.password=%6$s
                ssl.truststore.location=%3$s/trust.p12
                ssl.truststore.password=%7$s
                authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
                allow.everyone.if.no.acl.found=false
                super.users=User:owner
                log.dirs=%3$s/data
                auto.create.topics.enable=false
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=2
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=2
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                log.cleaner.dedupe.buffer.size=4194304
                """.formatted(
                        port, controllerPort, folder, MECHANISM, password(OWNER), password("key"), password("trust"));
    }

    private static ChildProcess java(Path folder, String name, String mainClass, String... args) {
        return ChildProcess.start(new ChildProcess.Spec(
                name, mainClass, new ArrayList<>(List.of(args)), folder.resolve(name + ".log"), 256, 64, Map.of()));
    }

    @Override
    public void close() {
        server.kill();
    }
}
