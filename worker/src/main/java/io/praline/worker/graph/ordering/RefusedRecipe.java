package io.praline.worker.graph.ordering;

/** A recipe that cannot be carried out. The message is one line: which step, and why. */
public final class RefusedRecipe extends RuntimeException {
    public RefusedRecipe(String reason) {
        super(reason);
    }

    RefusedRecipe(String step, RuntimeException cause) {
        super(step + ": " + cause.getMessage(), cause);
    }
}
