/**
 * The page that {@code praline console} serves: jobs, workers, pools and topics, as the topics tell of them, to a browser and to programs.
 * It reads and never writes, so whoever may look can change nothing; what a user may do is shown as the command to type.
 *
 * <p>{@code Follower} opens the topics, {@code Rounds} reads them on a thread of its own and hands a {@code Picture} on, {@code PageServer} gives it out.
 * What of it is said in which words is in {@code Limit}. The page itself is in this package's resources: one HTML file, modules,
 * a style sheet, without a build; uPlot, which draws the charts, lies there as it was published, with its licence.
 */
package io.praline.deploy.page;
