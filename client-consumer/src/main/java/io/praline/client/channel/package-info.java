/**
 * The client's end of the batch channel: connections, credits, memory. Knows frames and channels, nothing of topics or jobs.
 *
 * <pre>
 *   {@link io.praline.client.channel.ChannelPool}  event loops and buffers
 *     {@link io.praline.client.channel.AttemptChannel}  one consumer's channel to one attempt: dials, and dials again
 *       Inbox  one connection of it: frames in, credit out
 *       Credits  what is held and what is owed to the worker, over all its connections
 * </pre>
 */
package io.praline.client.channel;
