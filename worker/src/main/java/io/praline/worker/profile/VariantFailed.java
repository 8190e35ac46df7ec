package io.praline.worker.profile;

import io.praline.worker.engine.EngineFailure;

/** Another order of a pipeline's steps fails on a sample that the pipeline itself reads to its end. The message is one line. */
public final class VariantFailed extends SampleFailed {
    VariantFailed(EngineFailure failure) {
        super(
                "it fails on the sample, which the user's order reads: "
                        + failure.getMessage().strip().replaceAll("\\s*\\R\\s*", "; "),
                true,
                failure);
    }
}
