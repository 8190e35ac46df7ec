/** Why a turn cannot go on: one job is at fault, or what was there before is. Knows neither jobs nor pools. */
package io.praline.dispatcher.turn.fault;
