package io.praline.worker.graph;

/** A pipeline that cannot run here. The message is one line, for the person who wrote the pipeline. */
public final class RefusedPipeline extends RuntimeException {
    public RefusedPipeline(String reason) {
        super(reason);
    }

    public RefusedPipeline(String reason, Throwable cause) {
        super(reason, cause);
    }
}
