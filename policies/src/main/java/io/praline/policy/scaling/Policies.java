package io.praline.policy.scaling;

import io.praline.policy.Policy;
import java.util.List;
import java.util.Map;

/** The policies by name. */
public final class Policies {
    private Policies() {}

    public static List<String> names() {
        return List.of("every-worker");
    }

    /**
     * The policy of that name with those of its parameters changed.
     *
     * @param settings by the name of a component of the policy's record
     * @throws IllegalArgumentException naming the policy or parameter that there is not, and what there is
     */
    public static Policy named(String name, Map<String, String> settings) {
        if (!name.equals("every-worker")) {
            throw new IllegalArgumentException("there is no policy '" + name + "': there are " + names());
        }
        if (!settings.isEmpty()) {
            throw new IllegalArgumentException("policy every-worker has no parameter " + settings.keySet());
        }
        return new EveryWorker();
    }
}
