/**
 * Events taken whole or not at all: what one brings about, until all of it has succeeded, and what is done where a turn throws.
 * Knows nothing of what a turn decides, nor where its words go.
 */
package io.praline.dispatcher.turn.whole;
