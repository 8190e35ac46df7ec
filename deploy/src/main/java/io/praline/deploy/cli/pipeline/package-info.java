/** The commands that look into pipelines, and pipelines as users keep them. */
package io.praline.deploy.cli.pipeline;
