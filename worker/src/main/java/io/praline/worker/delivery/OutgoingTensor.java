package io.praline.worker.delivery;

import io.netty.buffer.ByteBuf;

/**
 * One tensor of a batch on its way out.
 *
 * @param dtype TensorFlow's number of its data type
 * @param shape its dimensions
 * @param body its bytes from reader to writer index, little-endian; strings as {@code StringTensor} lays them out.
 *     Direct memory is sent as it lies; anything else costs a copy.
 */
@SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
public record OutgoingTensor(int dtype, long[] shape, ByteBuf body) {}
