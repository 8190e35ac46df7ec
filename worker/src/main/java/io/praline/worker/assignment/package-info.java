/**
 * Which splits to read: the consumer of commands, the queue of what was assigned, and the account of what became of it.
 * Knows splits and tickets; nothing of graphs or channels.
 */
package io.praline.worker.assignment;
