/**
 * Where batches lie: memory that frames are received into, of which tensors are read in place, and memory that worker and client
 * share on one host. Knows frames by what they hold, and nothing of connections, credit or attempts.
 */
package io.praline.wire.memory;
