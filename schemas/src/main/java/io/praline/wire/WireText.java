package io.praline.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts and zeroes in small frames. */
final class WireText {

    private WireText() {}

    static void write(ByteBuf out, String text, String what, int maxBytes) {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8), what, maxBytes);
    }

    static void writeBytes(ByteBuf out, byte[] bytes, String what, int maxBytes) {
        if (bytes.length > maxBytes) {
            throw new IllegalArgumentException(what + " must have at most " + maxBytes + " bytes, has " + bytes.length);
        }
        out.writeShortLE(bytes.length).writeBytes(bytes);
    }

    static String read(ByteBuf in, String what, int maxBytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(readBytes(in, what, maxBytes)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedFrame(what + " is no UTF-8");
        }
    }

    static byte[] readBytes(ByteBuf in, String what, int maxBytes) {
        int length = in.readUnsignedShortLE();
        if (length > maxBytes) {
            throw new MalformedFrame(what + " must have at most " + maxBytes + " bytes, has " + length);
        }
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    /** At most so many bytes of the text, on one line. */
    static String cut(String text, int maxBytes) {
        String line = text.replaceAll("\\s*[\\r\\n]+\\s*", " ");
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= maxBytes) {
            return line;
        }
        int end = maxBytes;
        while ((bytes[end] & 0xC0) == 0x80) { // not in the middle of a character
            end--;
        }
        return new String(Arrays.copyOf(bytes, end), StandardCharsets.UTF_8);
    }

    static void expectZero(long value, String what) {
        if (value != 0) {
            throw new MalformedFrame(what + " must be 0, is " + value);
        }
    }
}
