/**
 * What rows are made of: keys, one letter a kind, fields as bytes, and what several kinds of row hold; and where rows lie. Knows
 * nothing of what rows say together.
 */
package io.praline.dispatcher.ledger.row;
