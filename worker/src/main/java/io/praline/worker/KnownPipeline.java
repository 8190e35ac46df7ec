package io.praline.worker;

import io.praline.worker.graph.PipelineAnalysis;
import io.praline.worker.graph.PipelineGraph;

/** A pipeline and what its analysis says. */
record KnownPipeline(PipelineGraph graph, PipelineAnalysis analysis) {}
