package io.praline.worker.graph.ordering;

import java.util.List;

/**
 * Another order of a pipeline's steps.
 *
 * @param sections for each section between barriers that changes the names of all its steps in their new order, the batch
 *     among them; a step that stood in front of the batch and stands behind it here is to work on whole batches; the name of a
 *     transformation stands for all steps that it is cut into
 */
public record Recipe(List<List<String>> sections) {
    public Recipe {
        sections = sections.stream().map(List::copyOf).toList();
    }
}
