/** How lines for people name the steps of a pipeline that they are about. Knows nothing of pipelines. */
package io.praline.worker.graph.note;
