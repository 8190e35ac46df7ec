/** What training code sees: a client, a stream of batches, a batch. */
package io.praline.client;
