/** The list of topics: name, key, value, partitions, retention; and what creates them. Knows nothing of what programs do with them. */
package io.praline.topics;
