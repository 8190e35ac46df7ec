/** What several tests stand on: the shared cluster, both ends of a channel, files of numbers, programs in processes of their own. */
package io.praline.tests.rig;
