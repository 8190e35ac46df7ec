/**
 * Events taken whole or not at all: what one brings about, until all of it has succeeded, and what is done where a turn throws.
 * Collects a turn's words and tells which are urgent; knows nothing of how a turn decides, nor where its words go then.
 */
package io.praline.dispatcher.turn.whole;
