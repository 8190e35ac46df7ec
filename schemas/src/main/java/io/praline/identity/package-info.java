/**
 * What things are called on every road: elements, runs of them, attempts, and why an element is left out. Worker, client and
 * dispatcher name the same thing the same way; knows neither frames nor topics.
 */
package io.praline.identity;
