/**
 * What a program says of itself over HTTP. Knows nothing of topics or of what is measured.
 *
 * <p>It lies in this module because dispatcher and worker must both reach it and may import nothing else together but
 * {@code schemas}, which holds what travels between processes and no servers.
 */
package io.praline.topics.status;
