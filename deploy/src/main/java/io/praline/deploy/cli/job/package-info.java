/** The commands about jobs that run or ran: how they are, why, and what a user takes into their own hands. */
package io.praline.deploy.cli.job;
