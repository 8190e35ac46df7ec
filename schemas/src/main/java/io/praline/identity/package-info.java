/**
 * What things are called on every road: elements, runs of them, attempts. Worker, client and dispatcher name the same thing the
 * same way; knows neither frames nor topics.
 */
package io.praline.identity;
