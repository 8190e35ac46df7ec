/** What is kept of jobs' elements, and what a user may ask of it. Knows nothing of how entries are made and read. */
package io.praline.deploy.cli.cache;
