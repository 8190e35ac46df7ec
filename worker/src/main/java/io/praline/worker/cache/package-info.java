/**
 * A store of entries: the elements of splits behind a cache point, a file or an object each, written whole and looked through
 * before they are read. Knows files and bytes, and nothing of graphs. In a folder:
 *
 * <pre>
 *   entries/TENANT/PREFIX/XX/KEY         an entry; XX are the first two letters of KEY
 *   entries/TENANT/PREFIX/XX/KEY.made    somebody makes it: looked at by when it was last touched
 *   entries/TENANT/PREFIX/XX/KEY.UUID    what is written of it so far
 *   leases/PROCESS/N                     another name of an entry that is read, so that it lasts
 *   time.UUID                            by which a worker learns the folder's time, for a moment
 *   store                                format and identity
 * </pre>
 *
 * <p>A TENANT whose name is longer than a folder's may be goes on in folders below, ~ before each further part of it. In a bucket, below its prefix:
 *
 * <pre>
 *   entries/TENANT/PREFIX/KEY            an entry
 *   making/TENANT/PREFIX/KEY             somebody makes it, see {@link io.praline.worker.storage.ObjectMarks}
 *   store                                format and identity
 *   speed.UUID                           what a worker measures with, for a moment
 * </pre>
 */
package io.praline.worker.cache;
