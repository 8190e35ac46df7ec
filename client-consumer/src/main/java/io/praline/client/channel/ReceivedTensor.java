package io.praline.client.channel;

import java.nio.ByteBuffer;

/**
 * One tensor of a batch that came.
 *
 * @param dtype TensorFlow's number of its data type
 * @param shape its dimensions
 * @param data its bytes: direct, little-endian, starting at a multiple of 64; strings as {@code StringTensor} lays them
 *     out. Good until the batch is closed, not one access longer.
 */
@SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
public record ReceivedTensor(int dtype, long[] shape, ByteBuffer data) {}
