/**
 * Which files and keys a pattern means, by the rules of globs, and where the names of a list lead. Knows names, and the directories of
 * this machine; nothing of stores.
 */
package io.praline.worker.storage.glob;
