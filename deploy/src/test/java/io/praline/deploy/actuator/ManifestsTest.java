package io.praline.deploy.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.praline.deploy.cli.Praline;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies in {@code manifests}: read as Kubernetes' own types, where an unknown field is an error. */
class ManifestsTest {
    private static final Path MANIFESTS = Path.of("manifests");

    private static List<HasMetadata> read(String file) throws IOException {
        try (InputStream in = Files.newInputStream(MANIFESTS.resolve(file))) {
            Object read = new KubernetesSerialization().unmarshal(in);
            List<HasMetadata> all = new ArrayList<>();
            (read instanceof Collection<?> several ? several : List.of(read))
                    .forEach(one -> all.add((HasMetadata) one));
            return all;
        }
    }

    private static <T extends HasMetadata> T only(String file, Class<T> type) throws IOException {
        return read(file).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> arguments(PodSpec pod) {
        return pod.getContainers().get(0).getArgs();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dispatcher.yaml", "worker.yaml", "actuator.yaml"})
    void holdNothingThatKubernetesDoesNotKnow(String file) throws IOException {
        assertThat(read(file)).isNotEmpty().allSatisfy(one -> {
            assertThat(one.getMetadata().getAdditionalProperties()).isEmpty();
            assertThat(one.getApiVersion()).isNotEmpty();
        });
        Deployment worker = only("worker.yaml", Deployment.class);
        assertThat(worker.getSpec().getAdditionalProperties()).isEmpty();
        assertThat(worker.getSpec().getTemplate().getSpec().getAdditionalProperties())
                .isEmpty();
    }

    // a wrong option would be told before --help is shown
    @Test
    void startProgramsWithOptionsThatTheyHave() throws IOException {
        List<PodSpec> pods = List.of(
                only("dispatcher.yaml", StatefulSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec(),
                only("worker.yaml", Deployment.class).getSpec().getTemplate().getSpec(),
                only("actuator.yaml", Deployment.class).getSpec().getTemplate().getSpec());
        for (PodSpec pod : pods) {
            StringWriter errors = new StringWriter();
            List<String> words = new ArrayList<>(arguments(pod));
            words.add("--help");
            int code = Praline.run(
                    new PrintWriter(Writer.nullWriter()), new PrintWriter(errors), words.toArray(String[]::new));
            assertThat(code).as(errors.toString()).isZero();
        }
    }

    @Test
    void letTheActuatorScaleTheWorkersAndNothingElse() throws IOException {
        String workers = only("worker.yaml", Deployment.class).getMetadata().getName();
        Deployment actuator = only("actuator.yaml", Deployment.class);
        Role role = only("actuator.yaml", Role.class);

        assertThat(arguments(actuator.getSpec().getTemplate().getSpec())).contains("--kubernetes=praline/" + workers);
        assertThat(role.getRules())
                .extracting(PolicyRule::getResources, PolicyRule::getResourceNames)
                .containsExactly(
                        tuple(List.of("deployments"), List.of(workers)),
                        tuple(List.of("deployments/scale"), List.of(workers)));
    }

    // a worker drains for 30 s; the actuator's own patience is 45 s
    @Test
    void giveAWorkerTimeToDeliverWhatItHasMade() throws IOException {
        assertThat(only("worker.yaml", Deployment.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getTerminationGracePeriodSeconds())
                .isGreaterThan(30);
    }
}
