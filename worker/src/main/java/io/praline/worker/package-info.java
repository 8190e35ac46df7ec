/**
 * The worker: main, settings, wiring, order of shutdown. What joins its parts to the topics is here too: plans and
 * tried orders on their way out, and pipelines that others planned.
 */
package io.praline.worker;
