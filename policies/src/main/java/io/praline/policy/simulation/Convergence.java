package io.praline.policy.simulation;

/**
 * When a policy came to rest: the first target that held for {@value #HOLD} windows. Windows in which the workers changed
 * are not counted.
 *
 * @param reached false: never, and the rest tells of the whole run
 * @param windows before that target
 * @param cost until it was set, in the prices' currency
 * @param changesAfter of the target, before the world changed
 */
public record Convergence(boolean reached, int windows, double cost, int changesAfter) {
    /** Windows for which a target must hold. */
    public static final int HOLD = 20;
}
