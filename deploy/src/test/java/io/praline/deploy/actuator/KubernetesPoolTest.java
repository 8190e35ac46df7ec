package io.praline.deploy.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KubernetesPoolTest {
    private static final String PATH = "/apis/apps/v1/namespaces/praline/deployments/workers";

    private long nowNanos;

    private void advance(Duration time) {
        nowNanos += time.toNanos();
    }

    private static Deployment deployment(int replicas, int ready) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace("praline")
                .withName("workers")
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .addToMatchLabels("app", "worker")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "worker")
                .endMetadata()
                .endTemplate()
                .endSpec()
                .withNewStatus()
                .withReadyReplicas(ready)
                .endStatus()
                .build();
    }

    private KubernetesPool pool(KubernetesClient client) {
        return new KubernetesPool(client, "praline", "workers", () -> nowNanos);
    }

    /** An API server that keeps what it is told. */
    @Nested
    @EnableKubernetesMockClient(crud = true)
    class Keeping {
        private KubernetesClient client;

        private int replicas() {
            return client.apps()
                    .deployments()
                    .inNamespace("praline")
                    .withName("workers")
                    .get()
                    .getSpec()
                    .getReplicas();
        }

        @Test
        void setsTheReplicasOfTheDeployment() {
            client.resource(deployment(1, 1)).create();
            KubernetesPool pool = pool(client);
            assertThat(pool.look()).isEqualTo(new WorkerPool.State(1, Optional.empty()));

            pool.target(5);
            pool.look();
            assertThat(replicas()).isEqualTo(5);
            pool.target(0);
            pool.look();
            assertThat(replicas()).isZero();
        }

        @Test
        void setsThemAgainWhereSomebodyElseChangedThem() {
            client.resource(deployment(1, 1)).create();
            KubernetesPool pool = pool(client);
            pool.target(3);
            pool.look();
            client.apps()
                    .deployments()
                    .inNamespace("praline")
                    .withName("workers")
                    .scale(7);
            pool.look();
            assertThat(replicas()).isEqualTo(7);

            advance(Duration.ofSeconds(5));
            pool.look();
            assertThat(replicas()).isEqualTo(3);
        }

        @Test
        void saysThatTheDeploymentIsMissingUntilItIsThere() {
            KubernetesPool pool = pool(client);
            pool.target(2);
            assertThat(pool.look())
                    .isEqualTo(new WorkerPool.State(
                            0,
                            Optional.of("there is no Deployment workers in namespace praline; apply"
                                    + " deploy/manifests/worker.yaml")));

            client.resource(deployment(1, 1)).create();
            advance(Duration.ofSeconds(10));
            assertThat(pool.look().trouble()).isEmpty();
            assertThat(replicas()).isEqualTo(2);
        }
    }

    /** An API server that says what the test tells it to. */
    @Nested
    @EnableKubernetesMockClient
    class Scripted {
        private KubernetesMockServer server;
        private KubernetesClient client;

        // 403 at 0 s, then asked again after 10, 20, 40, 60, 60 s: at 0, 10, 30, 70, 130 and 190 s
        @Test
        void saysThatItMayNotAndAsksLessAndLessOften() {
            server.expect()
                    .get()
                    .withPath(PATH)
                    .andReturn(
                            403,
                            new StatusBuilder()
                                    .withCode(403)
                                    .withReason("Forbidden")
                                    .withMessage("deployments.apps \"workers\" is forbidden")
                                    .build())
                    .always();
            KubernetesPool pool = pool(client);
            for (int look = 0; look < 200; look++) {
                pool.target(look % 3);
                pool.look();
                advance(Duration.ofSeconds(1));
            }

            assertThat(pool.look().trouble())
                    .contains(
                            "not allowed to set the replicas of Deployment praline/workers; give the actuator the Role in"
                                    + " deploy/manifests/actuator.yaml");
            assertThat(server.getRequestCount()).isEqualTo(6);
        }

        @Test
        void saysWhereKubernetesCannotBeReached() {
            Config nobody = new ConfigBuilder()
                    .withMasterUrl("https://127.0.0.1:1")
                    .withRequestRetryBackoffLimit(0)
                    .build();
            try (KubernetesPool pool =
                    pool(new KubernetesClientBuilder().withConfig(nobody).build())) {
                assertThat(pool.look().trouble()).hasValueSatisfying(trouble -> assertThat(trouble)
                        .contains("127.0.0.1:1", "cannot be reached"));
            }
        }

        @Test
        void tellsWhyKubernetesMakesNoPods() {
            Deployment starved = new DeploymentBuilder(deployment(4, 1))
                    .editStatus()
                    .addNewCondition()
                    .withType("ReplicaFailure")
                    .withStatus("True")
                    .withReason("FailedCreate")
                    .withMessage("exceeded quota: compute")
                    .endCondition()
                    .endStatus()
                    .build();
            server.expect().get().withPath(PATH).andReturn(200, starved).always();
            KubernetesPool pool = pool(client);
            pool.target(4);

            assertThat(pool.look())
                    .isEqualTo(new WorkerPool.State(1, Optional.of("FailedCreate: exceeded quota: compute")));
        }
    }
}
