package io.praline.worker.graph.ordering;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Another order of a pipeline's steps.
 *
 * @param sections for each section between barriers that changes the names of all its steps in their new order, the batch
 *     among them; a step that stood in front of the batch and stands behind it here is to work on whole batches; the name of a
 *     transformation stands for all steps that it is cut into. Between {@code [128} and {@code ]} stand steps that are to work
 *     on batches of 128 that are made for them alone and taken apart behind them
 */
public record Recipe(List<List<String>> sections) {
    private static final Pattern BEGINS = Pattern.compile("\\[([1-9]\\d{0,5})");
    private static final String ENDS = "]";

    public Recipe {
        sections = sections.stream().map(List::copyOf).toList();
    }

    /**
     * Steps of a section that work on batches made for them alone.
     *
     * @param size how many elements go together
     * @param from the place of the first in the section's new order, from 0
     * @param to behind the last
     */
    record Early(int size, int from, int to) {}

    /**
     * A section as it is to be.
     *
     * @param names of its steps
     * @param early those of them that work on batches of their own
     */
    record Section(List<String> names, List<Early> early) {
        /**
         * Reads one of a recipe.
         *
         * @param steps names that the pipeline has: what is one of them is no sign
         * @throws RefusedRecipe if its signs do not belong together
         */
        static Section of(List<String> written, Set<String> steps) {
            List<String> names = new ArrayList<>();
            List<Early> early = new ArrayList<>();
            OptionalInt size = OptionalInt.empty();
            int from = 0;
            for (String each : written) {
                Matcher begins = BEGINS.matcher(each);
                if (!steps.contains(each) && begins.matches() && size.isEmpty()) {
                    size = OptionalInt.of(Integer.parseInt(begins.group(1)));
                    from = names.size();
                } else if (!steps.contains(each) && each.equals(ENDS) && size.isPresent() && names.size() > from) {
                    early.add(new Early(size.getAsInt(), from, names.size()));
                    size = OptionalInt.empty();
                } else {
                    names.add(each);
                }
            }
            if (size.isPresent()) {
                throw new RefusedRecipe(
                        "the recipe does not say where its early batch of " + size.getAsInt() + " ends");
            }
            return new Section(List.copyOf(names), List.copyOf(early));
        }
    }
}
