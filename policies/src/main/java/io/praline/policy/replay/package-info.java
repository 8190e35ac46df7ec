/** A policy over what was recorded, by the same turn as live. Knows neither where the record lies nor how it is written. */
package io.praline.policy.replay;
