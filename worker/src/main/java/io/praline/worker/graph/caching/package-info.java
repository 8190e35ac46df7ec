/**
 * Where a pipeline's elements may be kept, and the graph that keeps them and reads them again: behind a cache point two roads
 * meet, that of splits that are computed and that of splits whose elements were kept.
 */
package io.praline.worker.graph.caching;
