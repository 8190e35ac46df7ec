/**
 * The accounts of one epoch of a job: which attempt was given what, who has each element of a split, which are consumed or left
 * out, and the splits that were open when workers crashed. {@code EpochLedger} opens them, {@code Claims} and
 * {@code LoneSplits} are parts of them. Knows jobs and workers by
 * their ids alone, and nothing of other epochs and of plans.
 */
package io.praline.dispatcher.ledger.epoch;
