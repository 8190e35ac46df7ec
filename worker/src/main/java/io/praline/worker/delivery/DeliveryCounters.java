package io.praline.worker.delivery;

/**
 * What a worker's channel has seen since its start.
 *
 * @param connections open now
 * @param refusedConnections closed at once because there were too many
 * @param refusedVersions HELLOs of a version this worker does not speak
 * @param refusedTokens HELLOs whose token was not right
 * @param unknownAttempts HELLOs for attempts that are not open here; usually a client that was early
 * @param malformedFrames connections closed because their bytes were no frames of this channel
 * @param silentConnections connections closed because nothing came on them for too long
 * @param batchesSent batches written to a socket, those sent again included
 * @param batchesSentAgain batches written once more after a connection was lost
 * @param batchesShared of those sent, how many were put into memory that the client shares
 * @param bytesSent bytes of the frames of those batches
 */
public record DeliveryCounters(
        int connections,
        long refusedConnections,
        long refusedVersions,
        long refusedTokens,
        long unknownAttempts,
        long malformedFrames,
        long silentConnections,
        long batchesSent,
        long batchesSentAgain,
        long batchesShared,
        long bytesSent) {}
