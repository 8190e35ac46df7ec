/** Journals: as files, under another policy, and explained. Reads and compares; decides and changes nothing. */
package io.praline.dispatcher.replay;
