package io.praline.deploy.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
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
import java.util.Set;
import java.util.TreeSet;
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

    /** Of dispatcher, worker and actuator. */
    private static List<PodSpec> pods() throws IOException {
        return List.of(
                only("dispatcher.yaml", StatefulSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec(),
                only("worker.yaml", Deployment.class).getSpec().getTemplate().getSpec(),
                only("actuator.yaml", Deployment.class).getSpec().getTemplate().getSpec());
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
        for (PodSpec pod : pods()) {
            StringWriter errors = new StringWriter();
            List<String> words = new ArrayList<>(arguments(pod));
            words.add("--help");
            int code = Praline.run(
                    new PrintWriter(Writer.nullWriter()), new PrintWriter(errors), words.toArray(String[]::new));
            assertThat(code).as(errors.toString()).isZero();
        }
    }

    // the secret is what a comment in dispatcher.yaml says to make; $(NAME) is Kubernetes' own way to write a variable
    @Test
    void nameNothingThatIsNotThere() throws IOException {
        ConfigMap known = only("dispatcher.yaml", ConfigMap.class);
        String accounts =
                only("actuator.yaml", ServiceAccount.class).getMetadata().getName();
        for (PodSpec pod : pods()) {
            Container program = pod.getContainers().get(0);
            assertThat(program.getImage()).isEqualTo("praline");
            assertThat(pod.getServiceAccountName()).isIn(null, accounts);
            Set<String> variables = new TreeSet<>();
            for (EnvVar variable : program.getEnv()) {
                variables.add("$(" + variable.getName() + ")");
                ConfigMapKeySelector key = variable.getValueFrom().getConfigMapKeyRef();
                if (key != null) {
                    assertThat(key.getName()).isEqualTo(known.getMetadata().getName());
                    assertThat(known.getData()).containsKey(key.getKey());
                }
            }
            assertThat(program.getArgs())
                    .filteredOn(word -> word.contains("$("))
                    .isNotEmpty()
                    .allSatisfy(word -> assertThat(variables).contains(word.substring(word.indexOf('$'))));
            assertThat(program.getVolumeMounts())
                    .extracting(VolumeMount::getName)
                    .containsExactlyElementsOf(
                            pod.getVolumes().stream().map(Volume::getName).toList());
        }
    }

    // what a program is told to listen on, or to read, and what Kubernetes is told of it
    @Test
    void tellKubernetesWhatTheProgramsAreTold() throws IOException {
        Container dispatcher = pods().get(0).getContainers().get(0);
        assertThat(dispatcher.getArgs()).contains("--http-port=8080", "--state-dir=/state");
        assertThat(dispatcher.getPorts())
                .extracting(ContainerPort::getName, ContainerPort::getContainerPort)
                .containsExactly(tuple("http", 8080));
        assertThat(dispatcher.getReadinessProbe().getHttpGet().getPort().getStrVal())
                .isEqualTo("http");
        assertThat(dispatcher.getVolumeMounts())
                .extracting(VolumeMount::getMountPath)
                .containsExactly("/state");

        Container worker = pods().get(1).getContainers().get(0);
        assertThat(worker.getArgs()).contains("--port=7070", "--http-port=8080", "--secret-file=/etc/praline/secret");
        assertThat(worker.getPorts())
                .extracting(ContainerPort::getContainerPort)
                .containsExactly(7070, 8080);
        assertThat(worker.getVolumeMounts())
                .extracting(VolumeMount::getMountPath)
                .containsExactly("/etc/praline");
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
