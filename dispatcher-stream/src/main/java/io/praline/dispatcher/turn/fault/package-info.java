/**
 * Why a turn cannot go on: one job is at fault, a step that is about a whole pool, or what was there before. Which steps are left
 * out therefore. Knows neither jobs nor pools.
 */
package io.praline.dispatcher.turn.fault;
