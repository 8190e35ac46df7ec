/** What several tests stand on: the shared cluster, both ends of a channel, files of numbers, programs in processes of their own, a Kafka from elsewhere. */
package io.praline.tests.rig;
