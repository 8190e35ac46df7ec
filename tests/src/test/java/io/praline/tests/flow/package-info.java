/** The whole system against a real broker: dispatcher, workers in processes of their own, clients, the command. */
package io.praline.tests.flow;
