/**
 * Brokers and registry for one machine, under one data directory: one broker in the registry's process, or several in
 * processes of their own. Knows Kafka's insides and the registry's
 * REST interface, nothing of Praline's records: to everyone else this is any Kafka with any Confluent-compatible registry.
 *
 * <pre>
 *   data directory
 *     cluster.properties   cluster id and ports: what makes the directory a cluster's, and the same one after a restart
 *     lock                 locked while a process has the cluster
 *     pid                  which process that is
 *     kafka/               the broker's own: metadata, topics (the registry's state is the topic _schemas)
 *     kafka-2/, ...        of several brokers the others'
 * </pre>
 */
package io.praline.deploy.embedded;
