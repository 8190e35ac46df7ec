/**
 * Orders of a pipeline's steps, from a worker's description of them to the policies and back, and as people see them. Knows
 * neither clusters nor commands.
 */
package io.praline.deploy.ordering;
