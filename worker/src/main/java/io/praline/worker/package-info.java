/** The worker: main, settings, wiring, order of shutdown. */
package io.praline.worker;
