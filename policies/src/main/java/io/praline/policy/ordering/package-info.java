/**
 * In which order a pipeline's steps should run: which of them may change places and how equal the result is then
 * ({@code MoveRules}, {@code BatchRules}, which {@code Admissions} asks), what an order costs, and the
 * search for the cheapest. All of it over descriptions of steps ({@link io.praline.policy.ordering.Step}): knows no graph, nor
 * how one is rewritten, measured or compared. What no rule names does not move.
 */
package io.praline.policy.ordering;
