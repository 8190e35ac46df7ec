/**
 * Whether an order that was found may be used: what a sample says of its results and of its speed. It can only refuse; that
 * a move is right the rules say. Knows neither steps nor how a sample is read.
 */
package io.praline.policy.ordering.verification;
