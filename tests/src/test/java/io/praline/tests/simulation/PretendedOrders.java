package io.praline.tests.simulation;

import io.praline.schema.PipelineProfiled;
import io.praline.schema.PipelineStep;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.StepFactors;
import io.praline.schema.StepOperation;
import io.praline.schema.StepTensor;
import io.praline.schema.TimedPair;
import io.praline.schema.VariantVerified;
import io.praline.schema.VerifyVariant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** What a worker would measure of a pipeline's steps, and of another order of them: which is none, or better. */
record PretendedOrders(String worker, String incarnation, boolean better) {
    /** The digest of the other order. */
    static final String VARIANT = "the-variant";

    private static final int RECORDS = 300;

    /** A cast in front of a resize, which the resize passes up to rounding. */
    PipelineProfiled profiled(ProfilePipeline asked) {
        StepTensor bytes = tensor("uint8", -1, -1, 3);
        StepTensor floats = tensor("float32", -1, -1, 3);
        StepTensor small = tensor("float32", 224, 224, 3);
        List<PipelineStep> steps = List.of(
                step("cast", "ELEMENTWISE", bytes, floats, op("Cast", "uint8", Map.of("Truncate", "false"))),
                step(
                        "resize",
                        "RESAMPLE",
                        floats,
                        small,
                        op(
                                "ResizeBilinear",
                                "float32",
                                Map.of("align_corners", "false", "half_pixel_centers", "true"))));
        List<StepFactors> factors = List.of(
                new StepFactors("cast", (long) RECORDS, RECORDS * 600_000L, RECORDS * 2_400_000L, RECORDS * 900_000L),
                new StepFactors(
                        "resize", (long) RECORDS, RECORDS * 2_400_000L, RECORDS * 602_112L, RECORDS * 600_000L));
        return PipelineProfiled.newBuilder()
                .setWorker(worker)
                .setIncarnation(incarnation)
                .setJob(asked.getJob())
                .setTrial(asked.getTrial())
                .setFailure(better ? "" : "steps that are pretended cannot be measured")
                .setSteps(better ? steps : List.of())
                .setFactors(better ? factors : List.of())
                .setRecords(better ? RECORDS : 0)
                .setNanos(better ? 450_000_000 : 0)
                .setCallNanos(better ? 5_000 : 0)
                .build();
    }

    VariantVerified verified(VerifyVariant asked) {
        return VariantVerified.newBuilder()
                .setWorker(worker)
                .setIncarnation(incarnation)
                .setJob(asked.getJob())
                .setTrial(asked.getTrial())
                .setFailure(better ? "" : "steps that are pretended cannot be moved")
                .setVariantDigest(better ? VARIANT : "")
                .setPairs(better ? Collections.nCopies(5, new TimedPair(2_000_000L, 1_000_000L)) : List.of())
                .setElements(better ? RECORDS : 0)
                .setMissing(0)
                .setUnequal(0)
                .setLargestDifference(0)
                .build();
    }

    private static StepTensor tensor(String type, long... shape) {
        return StepTensor.newBuilder()
                .setType(type)
                .setShape(LongStream.of(shape).boxed().toList())
                .build();
    }

    private static PipelineStep step(String name, String kind, StepTensor before, StepTensor after, StepOperation op) {
        return PipelineStep.newBuilder()
                .setName(name)
                .setTransformation(name)
                .setKind(kind)
                .setOps(List.of(op))
                .setDraws(false)
                .setDrawsFromShape(false)
                .setStateful(false)
                .setMayFail(false)
                .setKeepPosition(false)
                .setReads(List.of(0))
                .setWrites(List.of(0))
                .setRestructures(false)
                .setBefore(List.of(before))
                .setAfter(List.of(after))
                .build();
    }

    private static StepOperation op(String name, String in, Map<String, String> settings) {
        return new StepOperation(name, List.of(in), List.of("float32"), settings);
    }
}
