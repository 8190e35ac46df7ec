package io.praline.tests.rig;

import static org.awaitility.Awaitility.await;

import io.praline.dispatcher.DispatcherConfig;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;

/**
 * A Kafka and a registry that run already, in place of embedded ones: those of {@code -Dpraline.tests.bootstrap=HOST:PORT
 * -Dpraline.tests.registry=URL}, or {@linkplain KafkaInContainers in containers}. They are for one run of the flows alone, which delete Praline's topics there.
 */
record ExternalKafka(KafkaSettings settings) {
    static final String BOOTSTRAP = "praline.tests.bootstrap";
    static final String REGISTRY = "praline.tests.registry";

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** The one that the flows were told; empty where each brings an embedded one. */
    static Optional<ExternalKafka> told() {
        KafkaInContainers.supply();
        String bootstrap = System.getProperty(BOOTSTRAP, "");
        String registry = System.getProperty(REGISTRY, "");
        if (bootstrap.isEmpty() != registry.isEmpty()) {
            throw new IllegalArgumentException(BOOTSTRAP + " and " + REGISTRY + " go together; give both or none");
        }
        return bootstrap.isEmpty()
                ? Optional.empty()
                : Optional.of(new ExternalKafka(KafkaSettings.of(bootstrap, registry)));
    }

    /** Deletes what a dispatcher, its workers and clients left there. Schemas stay: they are the same for every run. */
    void empty() {
        try (Admin admin = Admin.create(settings.admin())) {
            forgetDispatchers(admin);
            admin.deleteTopics(ours(admin)).all().get();
            await().atMost(PATIENCE).until(() -> ours(admin).isEmpty());
        } catch (ExecutionException failed) {
            throw new IllegalStateException("cannot empty " + settings.bootstrap(), failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while topics were deleted", interrupted);
        }
    }

    /** A dispatcher keeps its place in its group when it ends, and the next one would wait for it where it has another name. */
    private static void forgetDispatchers(Admin admin) throws ExecutionException, InterruptedException {
        String group = DispatcherConfig.USUAL_APPLICATION;
        if (admin.listGroups().all().get().stream().map(GroupListing::groupId).anyMatch(group::equals)) {
            // to remove all of none is refused
            if (!admin.describeConsumerGroups(List.of(group))
                    .all()
                    .get()
                    .get(group)
                    .members()
                    .isEmpty()) {
                admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                        .all()
                        .get();
            }
            admin.deleteConsumerGroups(List.of(group)).all().get();
        }
    }

    private static Set<String> ours(Admin admin) throws ExecutionException, InterruptedException {
        Set<String> known = Topics.all().stream().map(Topic::name).collect(Collectors.toSet());
        return admin.listTopics().names().get().stream()
                .filter(name -> known.contains(name) || name.startsWith(DispatcherConfig.USUAL_APPLICATION + "-"))
                .collect(Collectors.toSet());
    }
}
