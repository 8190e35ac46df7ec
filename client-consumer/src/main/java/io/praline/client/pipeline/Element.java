package io.praline.client.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.tensorflow.Operand;
import org.tensorflow.types.family.TType;

/** The tensors of one element, as a function of a pipeline takes or gives them. Each has a name: its index, unless it was given one. */
public final class Element {

    private final List<String> names;
    private final List<Operand<?>> operands;

    private Element(List<String> names, List<Operand<?>> operands) {
        this.names = List.copyOf(names);
        this.operands = List.copyOf(operands);
        for (int at = 0; at < names.size(); at++) {
            if (names.indexOf(names.get(at)) != at) {
                throw new IllegalArgumentException("two components of an element are named " + names.get(at));
            }
        }
    }

    /** An element of these tensors, named by their index. */
    public static Element of(Operand<?>... operands) {
        Element element = new Element(List.of(), List.of());
        for (int at = 0; at < operands.length; at++) {
            element = element.and(Integer.toString(at), operands[at]);
        }
        return element;
    }

    /** An element of one named tensor; more are added by {@link #and}. */
    public static Element of(String name, Operand<?> operand) {
        return new Element(List.of(name), List.of(operand));
    }

    static Element of(List<Component> components, List<Operand<?>> operands) {
        return new Element(components.stream().map(Component::name).toList(), operands);
    }

    /** This element and one tensor more, behind the others. */
    public Element and(String name, Operand<?> operand) {
        List<String> moreNames = new ArrayList<>(names);
        List<Operand<?>> moreOperands = new ArrayList<>(operands);
        moreNames.add(name);
        moreOperands.add(operand);
        return new Element(moreNames, moreOperands);
    }

    /** This element with another tensor in the place of the one at this index. */
    public Element with(int at, Operand<?> operand) {
        List<Operand<?>> changed = new ArrayList<>(operands);
        changed.set(at, operand);
        return new Element(names, changed);
    }

    /** The only tensor of an element of one. */
    public Operand<?> get() {
        if (operands.size() != 1) {
            throw new IllegalArgumentException("this element has the components " + names + ": say which");
        }
        return operands.get(0);
    }

    public Operand<?> get(int at) {
        if (at < 0 || at >= operands.size()) {
            throw new IllegalArgumentException("no component " + at + ", there are " + names);
        }
        return operands.get(at);
    }

    public Operand<?> get(String name) {
        int at = names.indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException("no component '" + name + "', there are " + names);
        }
        return operands.get(at);
    }

    /** The only tensor, as one of this type: {@code x.as(TString.class)}. */
    public <T extends TType> Operand<T> as(Class<T> type) {
        return typed(get(), type);
    }

    public <T extends TType> Operand<T> get(int at, Class<T> type) {
        return typed(get(at), type);
    }

    public <T extends TType> Operand<T> get(String name, Class<T> type) {
        return typed(get(name), type);
    }

    public List<String> names() {
        return names;
    }

    public List<Operand<?>> operands() {
        return operands;
    }

    private <T extends TType> Operand<T> typed(Operand<?> operand, Class<T> type) {
        if (!operand.type().equals(type)) {
            throw new IllegalArgumentException("component " + names.get(operands.indexOf(operand)) + " is a "
                    + operand.type().getSimpleName() + ", not a " + type.getSimpleName());
        }
        return operand.asOutput().expect(type);
    }
}
