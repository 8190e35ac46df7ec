/**
 * TensorFlow itself: a session that runs a task's graph, its tensors, its measurements. Knows splits as what is put into a
 * queue and batches as native memory; nothing of topics, jobs or channels.
 */
package io.praline.worker.engine;
