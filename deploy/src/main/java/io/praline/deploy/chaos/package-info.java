/**
 * Breaks things while jobs run, and counts what went missing or came twice: a {@linkplain io.praline.deploy.chaos.Schedule
 * schedule} that follows from a seed and from what may break, the {@linkplain io.praline.deploy.chaos.Processes processes}
 * and the {@linkplain io.praline.deploy.chaos.EntryDamage files of entries} that it breaks, trainers ({@code trainer}) that
 * write down what they trained on, and the {@linkplain io.praline.deploy.chaos.Tally tally} of what they wrote. Knows the
 * programs that it launches, and of commands how they fail.
 *
 * <p>Who is cut off from whom is decided by gates. Every process has a file of host names of its own, in which
 * {@code localhost}, where Kafka and the registry say they are, and each worker's name are this machine's loopback
 * address, or, for a process that shall be cut off, one where gates listen that pass everything on until they are shut.
 */
package io.praline.deploy.chaos;
