/**
 * What rows are made of: keys, fields as bytes, and what several kinds of row hold; and where rows lie. Knows no row, and
 * nothing of what rows say together.
 */
package io.praline.dispatcher.ledger.row;
