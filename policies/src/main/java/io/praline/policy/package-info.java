/** The contract of the policies: what is seen, what is known, what is decided. Pure: no clock, no randomness, no I/O. */
package io.praline.policy;
