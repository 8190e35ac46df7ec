package io.praline.policy.ordering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Descriptions of steps as the pipelines of people have them; each can be changed in one point. */
record Steps(Step step) {
    static final TensorSpec BYTES = TensorSpec.of("uint8", -1, -1, 3);
    static final TensorSpec PICTURE = TensorSpec.of("float32", -1, -1, 3);
    static final TensorSpec SMALL = TensorSpec.of("float32", 224, 224, 3);
    static final TensorSpec LABEL = TensorSpec.of("int64");
    static final TensorSpec RECORD = TensorSpec.of("string");

    /** @param settings {@code key=value}; flags do not hold but where they are told, and are not told where they have no value */
    static StepOp typedOp(String name, String in, String out, String... settings) {
        Map<String, String> known = new java.util.TreeMap<>();
        StepOp.FLAGS.forEach(flag -> known.put(flag, StepOp.FALSE));
        for (String setting : settings) {
            String key = setting.substring(0, setting.indexOf('='));
            String value = setting.substring(setting.indexOf('=') + 1);
            known.put(key, value);
            known.values().remove("");
        }
        return StepOp.of(name, in, out, known);
    }

    static StepOp op(String name, String... settings) {
        return typedOp(name, "float32", "float32", settings);
    }

    static Steps of(String name, StepKind kind, TensorSpec before, TensorSpec after, StepOp... ops) {
        return new Steps(new Step(
                name,
                name,
                kind,
                List.of(ops),
                false,
                false,
                false,
                false,
                false,
                set(0),
                kind == StepKind.FILTER ? set() : set(0),
                false,
                List.of(before, LABEL),
                List.of(after, LABEL)));
    }

    static SortedSet<Integer> set(Integer... members) {
        return new TreeSet<>(Arrays.asList(members));
    }

    static TensorSpec ofType(String type, TensorSpec spec) {
        return new TensorSpec(type, spec.shape());
    }

    static Steps cast(String name, String from, String to) {
        return of(
                name,
                StepKind.ELEMENTWISE,
                ofType(from, PICTURE),
                ofType(to, PICTURE),
                typedOp("Cast", from, to, "Truncate=false"));
    }

    static Steps subtract(String name) {
        return of(name, StepKind.ELEMENTWISE, PICTURE, PICTURE, op("Sub", "operand=vector:3", "largest=0.485"));
    }

    static Steps divide(String name) {
        return of(
                name,
                StepKind.ELEMENTWISE,
                PICTURE,
                PICTURE,
                op("RealDiv", "operand=scalar", "operand_at=1", "value=255.0"));
    }

    static Steps clip(String name) {
        return of(
                name,
                StepKind.ELEMENTWISE,
                PICTURE,
                PICTURE,
                op("Minimum", "operand=scalar"),
                op("Maximum", "operand=scalar"));
    }

    static Steps flip(String name) {
        return of(
                        name,
                        StepKind.GEOMETRIC,
                        PICTURE,
                        PICTURE,
                        typedOp("StatelessRandomUniformV2", "int32", "float32"),
                        typedOp("Less", "float32", "bool", "operand=scalar"),
                        op("ReverseV2", "axis=1"),
                        op("SelectV2", "condition=drawn"))
                .draws(true);
    }

    static Steps rotate(String name) {
        return of(
                name,
                StepKind.GEOMETRIC,
                PICTURE,
                PICTURE,
                op("ImageProjectiveTransformV3", "fill_mode=CONSTANT", "output_shape=shape"));
    }

    static Steps randomCrop(String name) {
        return of(
                        name,
                        StepKind.GEOMETRIC,
                        PICTURE,
                        SMALL,
                        typedOp("Shape", "float32", "int32"),
                        typedOp("Sub", "int32", "int32"),
                        typedOp("StatelessRandomUniformInt", "int32", "int32"),
                        typedOp("FloorMod", "int32", "int32"),
                        op("Slice"))
                .draws(true)
                .drawsFromShape(true);
    }

    static Steps crop(String name) {
        return of(name, StepKind.GEOMETRIC, PICTURE, SMALL, op("StridedSlice", "strides=1,1,1"));
    }

    static Steps resize(String name) {
        return resizeBy(name, op("ResizeBilinear", "half_pixel_centers=true"));
    }

    static Steps resizeBy(String name, StepOp method) {
        return of(name, StepKind.RESAMPLE, PICTURE, SMALL, op("ExpandDims"), method, op("Squeeze"));
    }

    static Steps decode(String name) {
        return of(name, StepKind.DECODE, RECORD, BYTES, typedOp("DecodeJpeg", "string", "uint8"))
                .mayFail(true);
    }

    static Steps filter(String name) {
        return of(name, StepKind.FILTER, PICTURE, PICTURE, typedOp("Greater", "int64", "bool", "operand=scalar"))
                .reads(1);
    }

    static Steps opaque(String name) {
        return of(name, StepKind.OPAQUE, PICTURE, PICTURE, op("PyFunc"));
    }

    static Steps batch(String name, TensorSpec element) {
        List<Long> sizes = new ArrayList<>(List.of(-1L));
        sizes.addAll(element.shape().orElseThrow());
        return of(
                        name,
                        StepKind.BATCH,
                        element,
                        new TensorSpec(element.type(), java.util.Optional.of(sizes)),
                        typedOp("BatchDatasetV2", "variant", "variant"))
                .after(new TensorSpec(element.type(), java.util.Optional.of(sizes)), TensorSpec.of("int64", -1));
    }

    /** On values of another type, where it keeps types. */
    Steps typed(String type) {
        return before(ofType(type, step.before().get(0)), step.before().get(1))
                .after(ofType(type, step.after().get(0)), step.after().get(1));
    }

    /** On pictures of this size, where it changes none. */
    Steps sized(long height, long width) {
        TensorSpec picture = TensorSpec.of("float32", height, width, 3);
        boolean resizes = step.is(StepKind.RESAMPLE);
        return before(picture, step.before().get(1))
                .after(resizes ? step.after().get(0) : picture, step.after().get(1));
    }

    Steps named(String name) {
        return copy(name, step.kind(), step.ops(), step.draws(), step.drawsFromShape(), step.before(), step.after());
    }

    Steps kind(StepKind kind) {
        return copy(step.name(), kind, step.ops(), step.draws(), step.drawsFromShape(), step.before(), step.after());
    }

    Steps ops(StepOp... ops) {
        return copy(
                step.name(),
                step.kind(),
                List.of(ops),
                step.draws(),
                step.drawsFromShape(),
                step.before(),
                step.after());
    }

    Steps draws(boolean draws) {
        return copy(step.name(), step.kind(), step.ops(), draws, step.drawsFromShape(), step.before(), step.after());
    }

    Steps drawsFromShape(boolean draws) {
        return copy(step.name(), step.kind(), step.ops(), step.draws(), draws, step.before(), step.after());
    }

    Steps before(TensorSpec... before) {
        return copy(
                step.name(),
                step.kind(),
                step.ops(),
                step.draws(),
                step.drawsFromShape(),
                List.of(before),
                step.after());
    }

    Steps after(TensorSpec... after) {
        return copy(
                step.name(),
                step.kind(),
                step.ops(),
                step.draws(),
                step.drawsFromShape(),
                step.before(),
                List.of(after));
    }

    Steps stateful(boolean stateful) {
        return flags(stateful, step.mayFail(), step.keepPosition(), step.restructures());
    }

    Steps mayFail(boolean mayFail) {
        return flags(step.stateful(), mayFail, step.keepPosition(), step.restructures());
    }

    Steps pinned() {
        return flags(step.stateful(), step.mayFail(), true, step.restructures());
    }

    Steps restructures() {
        return flags(step.stateful(), step.mayFail(), step.keepPosition(), true);
    }

    Steps reads(Integer... components) {
        return components(set(components), step.writes(), step.transformation());
    }

    Steps writes(Integer... components) {
        return components(step.reads(), set(components), step.transformation());
    }

    Steps from(String transformation) {
        return components(step.reads(), step.writes(), transformation);
    }

    private Steps copy(
            String name,
            StepKind kind,
            List<StepOp> ops,
            boolean draws,
            boolean drawsFromShape,
            List<TensorSpec> before,
            List<TensorSpec> after) {
        return new Steps(new Step(
                name,
                step.transformation(),
                kind,
                ops,
                draws,
                drawsFromShape,
                step.stateful(),
                step.mayFail(),
                step.keepPosition(),
                step.reads(),
                step.writes(),
                step.restructures(),
                before,
                after));
    }

    private Steps flags(boolean stateful, boolean mayFail, boolean keepPosition, boolean restructures) {
        return new Steps(new Step(
                step.name(),
                step.transformation(),
                step.kind(),
                step.ops(),
                step.draws(),
                step.drawsFromShape(),
                stateful,
                mayFail,
                keepPosition,
                step.reads(),
                step.writes(),
                restructures,
                step.before(),
                step.after()));
    }

    private Steps components(SortedSet<Integer> reads, SortedSet<Integer> writes, String transformation) {
        return new Steps(new Step(
                step.name(),
                transformation,
                step.kind(),
                step.ops(),
                step.draws(),
                step.drawsFromShape(),
                step.stateful(),
                step.mayFail(),
                step.keepPosition(),
                reads,
                writes,
                step.restructures(),
                step.before(),
                step.after()));
    }
}
