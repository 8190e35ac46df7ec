package io.praline.deploy.actuator;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers as the replicas of one Deployment, which stay as they are when this is closed. The API is asked every five seconds;
 * after an answer that is none, after
 *
 * <pre>
 *   pause = 5 s x 2^failures, at most 60 s
 * </pre>
 *
 * also where the target has changed meanwhile.
 */
public final class KubernetesPool implements WorkerPool {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesPool.class);

    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
    private static final int FORBIDDEN = 403;
    private static final int UNAUTHORIZED = 401;

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final LongSupplier nanoTime;
    private OptionalInt target = OptionalInt.empty();
    private State state = new State(0, Optional.empty());
    private int failures;
    private long dueNanos;

    /**
     * Asks nothing yet.
     *
     * @param client taken over
     * @param name of the Deployment
     * @param nanoTime {@code System::nanoTime}
     */
    public KubernetesPool(KubernetesClient client, String namespace, String name, LongSupplier nanoTime) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.nanoTime = nanoTime;
        this.dueNanos = nanoTime.getAsLong();
    }

    @Override
    public void target(int workers) {
        boolean changed = !target.equals(OptionalInt.of(workers));
        target = OptionalInt.of(workers);
        if (changed && failures == 0) {
            dueNanos = nanoTime.getAsLong();
        }
    }

    @Override
    public State look() {
        long now = nanoTime.getAsLong();
        if (now - dueNanos >= 0) {
            try {
                RollableScalableResource<Deployment> workers =
                        client.apps().deployments().inNamespace(namespace).withName(name);
                Deployment found = workers.get();
                if (found == null) {
                    failed(
                            now,
                            "there is no Deployment " + name + " in namespace " + namespace
                                    + "; apply deploy/manifests/worker.yaml");
                } else {
                    state = follow(workers, found);
                    failures = 0;
                    dueNanos = now + PERIOD.toNanos();
                }
            } catch (KubernetesClientException refused) {
                failed(now, told(refused));
            }
        }
        return state;
    }

    private State follow(RollableScalableResource<Deployment> workers, Deployment found) {
        int replicas = Optional.ofNullable(found.getSpec().getReplicas()).orElse(1);
        if (target.isPresent() && target.getAsInt() != replicas) {
            workers.scale(target.getAsInt());
            LOG.info("Deployment {}/{}: {} replicas, {} until now", namespace, name, target.getAsInt(), replicas);
        }
        Optional<DeploymentStatus> status = Optional.ofNullable(found.getStatus());
        int ready = status.map(DeploymentStatus::getReadyReplicas).orElse(0);
        return new State(ready, ready < target.orElse(0) ? status.flatMap(KubernetesPool::trouble) : Optional.empty());
    }

    /** Why Kubernetes does not make the pods, such as a quota that is used up. */
    private static Optional<String> trouble(DeploymentStatus status) {
        return Optional.ofNullable(status.getConditions()).orElse(List.of()).stream()
                .filter(condition -> (condition.getType().equals("ReplicaFailure")
                                && condition.getStatus().equals("True"))
                        || (condition.getType().equals("Progressing")
                                && condition.getStatus().equals("False")))
                .map(condition -> condition.getReason() + ": " + condition.getMessage())
                .findFirst();
    }

    private void failed(long now, String reason) {
        failures++;
        Duration pause = PERIOD;
        for (int failure = 0; failure < failures && pause.compareTo(LONGEST_PAUSE) < 0; failure++) {
            pause = pause.multipliedBy(2);
        }
        pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
        dueNanos = now + pause.toNanos();
        if (!state.trouble().equals(Optional.of(reason))) {
            LOG.warn("{}; asked again in {} s", reason, pause.toSeconds());
        }
        state = new State(state.running(), Optional.of(reason));
    }

    private String told(KubernetesClientException refused) {
        String deployment = "Deployment " + namespace + "/" + name;
        if (refused.getStatus() == null && refused.getCause() != null) {
            return "Kubernetes at " + client.getMasterUrl() + " cannot be reached: "
                    + refused.getCause().getMessage();
        }
        return switch (refused.getCode()) {
            case FORBIDDEN ->
                "not allowed to set the replicas of " + deployment
                        + "; give the actuator the Role in deploy/manifests/actuator.yaml";
            case UNAUTHORIZED ->
                "Kubernetes does not know who asks for " + deployment + "; check the actuator's service account";
            default -> "Kubernetes refused to scale " + deployment + ": " + refused.getMessage();
        };
    }

    /** Leaves the Deployment as it is. */
    @Override
    public void close() {
        client.close();
    }
}
