/**
 * Workers on the trainer's own host: as many processes as the dispatcher's target says, within a bound. Knows targets and
 * processes, nothing of batches or channels; whatever else starts workers by a target uses it as well.
 */
package io.praline.client.local;
