/**
 * The trainer's own host: workers on it, as many processes as the dispatcher's target says, within a bound; and which process of
 * it a client is. Knows targets and processes, nothing of batches or channels; whatever else starts workers by a target uses it
 * as well.
 */
package io.praline.client.local;
