/**
 * What the benchmarks measure with: a cluster in processes of its own, the same work without the service, plain sockets, a pool
 * that exists only in what it tells. Knows of commands only how they fail.
 */
package io.praline.deploy.bench;
