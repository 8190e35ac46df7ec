/**
 * The dispatcher's targets into running workers: local processes, or the replicas of a Kubernetes Deployment. Knows targets and
 * pools, nothing of jobs or of why a target is what it is.
 */
package io.praline.deploy.actuator;
