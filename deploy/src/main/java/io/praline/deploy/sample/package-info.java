/** What the demo and the benchmarks train on, and the pretended trainer that does. Knows the client, nothing of clusters. */
package io.praline.deploy.sample;
