package io.praline.worker.attempt;

import io.praline.worker.graph.PipelineAnalysis;
import io.praline.worker.graph.PipelineGraph;

/** A pipeline and what its analysis says. */
public record KnownPipeline(PipelineGraph graph, PipelineAnalysis analysis) {}
