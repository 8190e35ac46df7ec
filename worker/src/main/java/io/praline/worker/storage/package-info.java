/**
 * Files, this host's and such as lie elsewhere: what a store lists of them, what their content was when somebody looked, how
 * ranges of it are read, again where that fails; and what is written to a bucket. Knows names, versions and bytes; nothing of
 * splits, of what records hold, nor of graphs and attempts.
 */
package io.praline.worker.storage;
