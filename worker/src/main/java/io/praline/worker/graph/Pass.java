package io.praline.worker.graph;

/** One step of rewriting: a pipeline in, a pipeline out. */
public interface Pass {
    PipelineGraph apply(PipelineGraph pipeline);
}
