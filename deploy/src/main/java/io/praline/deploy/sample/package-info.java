/** What the demo and the benchmarks train on, and the pretended trainer that does. Knows the client, and of clusters only the user's home. */
package io.praline.deploy.sample;
