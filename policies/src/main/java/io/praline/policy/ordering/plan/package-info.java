/**
 * An order of steps that was found: what moved and how equal the result is then, what could but for one condition, what each order
 * is expected to cost. Knows steps by their names, nothing of how an order is looked for.
 */
package io.praline.policy.ordering.plan;
