package io.praline.policy.scaling;

import io.praline.policy.Policy;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A policy's parameters are the components of its record: whole numbers, numbers, or true and false. */
final class Parameters {
    private Parameters() {}

    /** By name, as texts from which {@link #changed} makes an equal policy. */
    static SortedMap<String, String> of(Record policy) {
        SortedMap<String, String> texts = new TreeMap<>();
        for (RecordComponent component : policy.getClass().getRecordComponents()) {
            texts.put(component.getName(), String.valueOf(value(policy, component)));
        }
        return texts;
    }

    /**
     * The same policy with some of its parameters changed.
     *
     * @throws IllegalArgumentException naming the parameter that it has not, or the value that cannot be
     */
    static Policy changed(Policy policy, Map<String, String> settings) {
        RecordComponent[] components = policy.getClass().getRecordComponents();
        SortedMap<String, String> left = new TreeMap<>(settings);
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String text = left.remove(components[i].getName());
            values[i] = text == null ? value(policy, components[i]) : parsed(policy, components[i], text.strip());
        }
        if (!left.isEmpty()) {
            String has = components.length == 0
                    ? "it has none"
                    : "it has "
                            + String.join(
                                    ", ",
                                    Arrays.stream(components)
                                            .map(RecordComponent::getName)
                                            .toList());
            throw new IllegalArgumentException(
                    "policy " + policy.name() + " has no parameter '" + left.firstKey() + "': " + has);
        }
        return made(policy, components, values);
    }

    private static Object parsed(Policy policy, RecordComponent component, String text) {
        Class<?> type = component.getType();
        String wrong = "parameter " + component.getName() + " of policy " + policy.name() + " must be ";
        try {
            if (type == int.class) {
                return Integer.valueOf(text);
            }
            if (type == long.class) {
                return Long.valueOf(text);
            }
            if (type == double.class) {
                return Double.valueOf(text);
            }
        } catch (NumberFormatException none) {
            String kind = type == double.class ? "a number" : "a whole number";
            throw new IllegalArgumentException(wrong + kind + ", is '" + text + "'", none);
        }
        if (type == boolean.class) {
            if (text.equals("true") || text.equals("false")) {
                return Boolean.valueOf(text);
            }
            throw new IllegalArgumentException(wrong + "true or false, is '" + text + "'");
        }
        throw new IllegalStateException("a policy's parameter cannot be a " + type);
    }

    private static Object value(Object policy, RecordComponent component) {
        try {
            return component.getAccessor().invoke(policy);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a policy's record must be public: " + policy.getClass(), impossible);
        }
    }

    private static Policy made(Policy policy, RecordComponent[] components, Object[] values) {
        try {
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Constructor<? extends Policy> constructor = policy.getClass().getConstructor(types);
            return constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof IllegalArgumentException wrong) {
                throw new IllegalArgumentException("policy " + policy.name() + ": " + wrong.getMessage(), wrong);
            }
            throw new IllegalStateException("cannot make a " + policy.getClass(), refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a policy's record must be public: " + policy.getClass(), impossible);
        }
    }
}
