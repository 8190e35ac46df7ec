/**
 * The accounts of one epoch of a job: which attempt was given what, who has each element of a split, which are consumed or left
 * out, and the splits that were open when workers crashed. {@code EpochLedger} opens them, {@code Claims} and
 * {@code LoneSplits} are parts of them. Knows nothing of other epochs, of jobs, workers and plans.
 */
package io.praline.dispatcher.ledger.epoch;
