/**
 * What each step of a pipeline costs: the graph of a task, run over a sample of a plan's splits by itself. Joins graph, engine
 * and the search for bad records; knows nothing of attempts under way, of delivery or topics.
 */
package io.praline.worker.profile;
