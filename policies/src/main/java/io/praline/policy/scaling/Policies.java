package io.praline.policy.scaling;

import io.praline.policy.Policy;
import java.util.List;
import java.util.Map;

/** The policies by name, each within the bounds that hold for all. */
public final class Policies {
    /** What a job gets that names none. */
    public static final String USUAL = "fitted";

    /** With their usual parameters. */
    private static final List<Policy> ALL =
            List.of(new FittedPlacement(), new PecanPlacement(), new CachewScaling(), new Fixed(), new EveryWorker());

    private Policies() {}

    public static List<String> names() {
        return ALL.stream().map(Policy::name).toList();
    }

    /**
     * The policy of that name with those of its parameters changed.
     *
     * @param settings by the name of a component of the policy's record
     * @throws IllegalArgumentException naming the policy, parameter or value that cannot be, and what there is
     */
    public static Policy named(String name, Map<String, String> settings) {
        for (Policy policy : ALL) {
            if (policy.name().equals(name)) {
                return new Bounded(Parameters.changed(policy, settings));
            }
        }
        throw new IllegalArgumentException(
                "there is no policy '" + name + "': there are " + String.join(", ", names()));
    }
}
