/**
 * What the benchmarks measure with: a cluster in processes of its own, the same work without the service, plain sockets, a pool
 * that exists only in what it tells. Knows nothing of commands.
 */
package io.praline.deploy.bench;
