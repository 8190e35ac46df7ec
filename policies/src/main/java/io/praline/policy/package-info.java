/**
 * The contract of the policies: what is seen, what is known, what is decided, and what a decision expects. Pure: no clock, no
 * randomness, no I/O. Knows none of the policies.
 */
package io.praline.policy;
