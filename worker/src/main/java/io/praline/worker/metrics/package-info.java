/** The heartbeat, and what it reports. Knows nothing of graphs and channels: it is told. */
package io.praline.worker.metrics;
