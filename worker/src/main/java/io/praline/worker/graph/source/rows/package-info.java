/** Whether what a function makes of a batch has a row for each of its rows, made of that row alone. */
package io.praline.worker.graph.source.rows;
