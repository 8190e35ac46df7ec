package io.praline.client.pipeline;

import java.util.Objects;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.TensorShapeProto;

/**
 * One tensor of every element that a pipeline gives.
 *
 * @param name how training code asks for it; its index from 0 until it is given a name
 * @param type its element type
 * @param shape what is known of its shape: -1 for an unknown dimension, {@link Shape#unknown()} for an unknown rank
 */
public record Component(String name, DataType type, Shape shape) {

    public Component {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(shape, "shape");
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a component must not be blank");
        }
    }

    Component named(String newName) {
        return new Component(newName, type, shape);
    }

    Component shaped(Shape newShape) {
        return new Component(name, type, newShape);
    }

    /** The shape of some of these in a row. */
    Component batched(long size) {
        return shape.isUnknown() ? this : shaped(shape.prepend(size));
    }

    TensorShapeProto shapeProto() {
        return shapeProto(shape);
    }

    static TensorShapeProto shapeProto(Shape shape) {
        TensorShapeProto.Builder proto = TensorShapeProto.newBuilder();
        if (shape.isUnknown()) {
            return proto.setUnknownRank(true).build();
        }
        for (long size : shape.asArray()) {
            proto.addDim(TensorShapeProto.Dim.newBuilder().setSize(size));
        }
        return proto.build();
    }
}
