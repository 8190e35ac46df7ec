/**
 * The jobs of a run and their trainers: what there is to train on, and what was trained on, as each life of a trainer wrote it
 * down. Knows nothing of what is broken, nor of what runs beside.
 */
package io.praline.deploy.chaos.trainer;
