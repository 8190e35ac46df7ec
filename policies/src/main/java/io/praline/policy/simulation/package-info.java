/** A policy in a made-up world: discrete events, the live dispatcher's own turn, noise from a seed. Reads no files. */
package io.praline.policy.simulation;
