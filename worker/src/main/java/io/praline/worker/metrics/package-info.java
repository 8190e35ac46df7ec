/** The heartbeat, and what it reports; the numbers for Prometheus. Knows nothing of graphs and channels: it is told. */
package io.praline.worker.metrics;
