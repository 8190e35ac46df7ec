/**
 * Threads for what asks file systems, which may never answer. Knows of files nothing but what they are called, and nothing of
 * what is asked.
 */
package io.praline.worker.storage.patience;
