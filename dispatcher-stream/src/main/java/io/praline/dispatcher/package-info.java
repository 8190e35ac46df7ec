/** The dispatcher: main, settings, topology, processor. A thin shell around the policies. */
package io.praline.dispatcher;
