package io.praline.client.stream;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of a job's components, in their order. */
public final class ComponentNames {
    private final List<String> names;
    private final Map<String, Integer> indexes = new HashMap<>();

    public ComponentNames(List<String> names) {
        this.names = List.copyOf(names);
        for (int i = 0; i < names.size(); i++) {
            indexes.put(names.get(i), i);
        }
    }

    /** The name of the component; its number where it has none. */
    public String name(int index) {
        return index < names.size() ? names.get(index) : Integer.toString(index);
    }

    /**
     * The index of a name, or of a number where no component has that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public int indexOf(String name, int components) {
        Integer index = indexes.get(name);
        if (index != null) {
            return index;
        }
        for (int i = 0; i < components; i++) {
            if (name(i).equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no component is named '" + name + "'; there are "
                + (names.isEmpty() ? "0.." + (components - 1) : String.join(", ", names)));
    }
}
