package io.praline.deploy.chaos.trainer;

import io.praline.deploy.sample.TfRecordWriter;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/** TFRecords of small made-up JPEGs: in each record eight bytes of its number, little-endian, and then the image. */
public final class Photographs {
    static final int NUMBER_BYTES = Long.BYTES;

    /** How many there are, in all files. */
    public static final int COUNT = 2_400;

    private static final int FILES = 24;
    private static final int WIDTH = 96;
    private static final int HEIGHT = 72;

    private Photographs() {}

    /** Writes those files that are missing; gives the glob of all. */
    public static String in(Path folder) {
        try {
            Files.createDirectories(folder);
            for (int file = 0; file < FILES; file++) {
                Path whole = folder.resolve(String.format(Locale.ROOT, "chaos-%02d.tfrecord", file));
                if (!Files.exists(whole)) {
                    Path part = folder.resolve("." + whole.getFileName() + "."
                            + ProcessHandle.current().pid());
                    write(part, COUNT / FILES * file, COUNT / FILES);
                    Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
        return folder.resolve("chaos-*.tfrecord").toString();
    }

    private static void write(Path file, int first, int count) throws IOException {
        try (TfRecordWriter out = new TfRecordWriter(file)) {
            for (int number = first; number < first + count; number++) {
                byte[] image = jpeg(number);
                out.write(ByteBuffer.allocate(NUMBER_BYTES + image.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(number)
                        .put(image)
                        .array());
            }
        }
    }

    private static byte[] jpeg(int number) throws IOException {
        SplittableRandom random = new SplittableRandom(number);
        int red = random.nextInt(256);
        int green = random.nextInt(256);
        BufferedImage picture = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_3BYTE_BGR);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                picture.setRGB(x, y, (red + x & 255) << 16 | (green + y & 255) << 8 | random.nextInt(64));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(8_192);
        ImageIO.write(picture, "jpg", bytes);
        return bytes.toByteArray();
    }
}
