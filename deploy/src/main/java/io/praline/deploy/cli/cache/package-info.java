/** The commands about what is kept of jobs' elements. Know where entries lie; nothing of how a job makes and reads them. */
package io.praline.deploy.cli.cache;
