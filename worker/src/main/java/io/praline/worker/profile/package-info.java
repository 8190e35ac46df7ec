/**
 * What each step of a pipeline costs, and how a variant of it does beside it: graphs of tasks, run over a sample of a plan's
 * splits by themselves. Joins graph, engine and the search for bad records; knows nothing of attempts under way, of delivery or
 * topics.
 */
package io.praline.worker.profile;
