/**
 * What an event changes and what must then be done. {@link io.praline.dispatcher.turn.whole.Partition} takes an event whole or
 * not at all; {@link io.praline.dispatcher.turn.Dispatching} has it folded into the accounts by the class of its input
 * (requests, plans, heartbeats, reports, measured orders, stores of entries, actuators, silence), then lets jobs and pool
 * take their turns, and ends a job whose epochs are complete. Keeps its accounts in the ledger, asks the policies, and has
 * what it says written by {@code convert}; knows nothing of topics, of how rows are stored, or of streams.
 */
package io.praline.dispatcher.turn;
