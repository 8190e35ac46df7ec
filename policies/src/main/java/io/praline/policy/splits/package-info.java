/** In which order splits are read, and how many of them a task has ahead. Knows neither workers nor ledgers. */
package io.praline.policy.splits;
