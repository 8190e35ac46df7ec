/**
 * What an event changes and what must then be done: the life of a job, from its submission to its end, and the pool's
 * turn. Keeps its accounts in the ledger and asks the policies; knows nothing of topics, stores or streams.
 */
package io.praline.dispatcher.turn;
