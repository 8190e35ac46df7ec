/**
 * What a user meets in every command: exit codes, one line for what went wrong, results as lines or as objects, progress, and how
 * a job and a decision are shown. Knows records of the topics, starts nothing.
 */
package io.praline.deploy.terminal;
