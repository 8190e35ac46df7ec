/** By which policies, and by which numbers, turns are taken. Settled when a dispatcher starts; knows neither jobs nor pools. */
package io.praline.dispatcher.turn.rules;
