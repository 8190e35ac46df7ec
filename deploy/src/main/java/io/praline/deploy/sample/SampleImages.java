package io.praline.deploy.sample;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Made-up photographs in TFRecord files, a JPEG a record: about 500 x 375 pixels and 100 KB each, as ImageNet's are. The
 * same count and seed give the same pixels.
 *
 * @param images how many in all
 * @param files over how many files they are spread, evenly
 * @param seed decides every pixel
 */
public record SampleImages(int images, int files, long seed) {

    /** With the noise below this gives about 100 KB an image. */
    private static final float JPEG_QUALITY = 0.94f;

    /** For those that are interrupted to take away what they have begun. */
    private static final int LAST_MOMENT_SECONDS = 5;

    public SampleImages {
        if (images < 1) {
            throw new IllegalArgumentException("images must be at least 1, is " + images);
        }
        if (files < 1 || files > images) {
            throw new IllegalArgumentException("files must be between 1 and " + images + " images, is " + files);
        }
    }

    static SampleImages of(int images) {
        return new SampleImages(images, Math.min(16, images), 1);
    }

    /** Whether a file of this name is one that this class writes. */
    static boolean isOne(String name) {
        return name.matches("images-\\d{5}-of-\\d{5}\\.tfrecord");
    }

    /** How many images the files hold that are missing in the folder; 0 when there is nothing to write. */
    long missing(Path folder) {
        return missingFiles(folder).stream().mapToLong(this::imagesIn).sum();
    }

    /**
     * Writes the files that are missing, on all cores; a file appears under its name when it is whole.
     *
     * @param written told the number of images written so far, from several threads
     */
    void write(Path folder, LongConsumer written) throws InterruptedException {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            Files.createDirectories(folder);
            List<Future<Path>> running = new ArrayList<>();
            for (int file : missingFiles(folder)) {
                running.add(threads.submit(() -> writeFile(folder, file, written)));
            }
            for (Future<Path> file : running) {
                file.get();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + folder + ": " + e.getMessage(), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw new UncheckedIOException(
                        "cannot write sample images to " + folder + ": " + cause.getMessage()
                                + "; make room there, or choose another folder",
                        cause);
            }
            throw new IllegalStateException(
                    "cannot write sample images to " + folder + ": "
                            + e.getCause().getMessage(),
                    e.getCause());
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(LAST_MOMENT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private List<Integer> missingFiles(Path folder) {
        return Stream.iterate(0, file -> file + 1)
                .limit(files)
                .filter(file -> !Files.exists(folder.resolve(name(file))))
                .toList();
    }

    private String name(int file) {
        return String.format(Locale.ROOT, "images-%05d-of-%05d.tfrecord", file, files);
    }

    private int imagesIn(int file) {
        return first(file + 1) - first(file);
    }

    private int first(int file) {
        return (int) ((long) images * file / files);
    }

    private Path writeFile(Path folder, int file, LongConsumer written) throws IOException {
        Path part =
                folder.resolve("." + name(file) + "." + ProcessHandle.current().pid());
        try {
            writeImages(part, file, written);
            return Files.move(part, folder.resolve(name(file)), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part); // what is not whole would fill a disk that is full already
        }
    }

    private void writeImages(Path part, int file, LongConsumer written) throws IOException {
        ImageWriter jpeg = ImageIO.getImageWritersByFormatName("jpeg").next();
        try (TfRecordWriter out = new TfRecordWriter(part)) {
            for (int image = first(file); image < first(file + 1); image++) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("interrupted");
                }
                out.write(encode(jpeg, image));
                written.accept(1);
            }
        } finally {
            jpeg.dispose();
        }
    }

    private byte[] encode(ImageWriter jpeg, int image) throws IOException {
        ImageWriteParam settings = jpeg.getDefaultWriteParam();
        settings.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        settings.setCompressionQuality(JPEG_QUALITY);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(160_000);
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            jpeg.setOutput(out);
            jpeg.write(null, new IIOImage(draw(image), null, null), settings);
        }
        return bytes.toByteArray();
    }

    /** Slopes of colour, some discs, and noise: about as hard to compress as a photograph. */
    private BufferedImage draw(int image) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + image);
        boolean upright = random.nextInt(5) == 0;
        int longSide = 480 + random.nextInt(41);
        int shortSide = 350 + random.nextInt(51);
        int width = upright ? shortSide : longSide;
        int height = upright ? longSide : shortSide;
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_3BYTE_BGR);
        byte[] pixels = ((DataBufferByte) picture.getRaster().getDataBuffer()).getData();
        int discs = 6;
        int[] disc = random.ints(discs * 3L, 0, longSide).toArray();
        int[] colour = random.ints(discs * 3L + 9, -80, 81).toArray();
        long noise = random.nextLong() | 1;
        int at = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int inside = -1;
                for (int d = 0; d < discs; d++) {
                    int dx = x - disc[3 * d];
                    int dy = y - disc[3 * d + 1];
                    int radius = 20 + disc[3 * d + 2] / 6;
                    if (dx * dx + dy * dy < radius * radius) {
                        inside = d;
                    }
                }
                for (int band = 0; band < 3; band++) {
                    noise ^= noise << 13;
                    noise ^= noise >>> 7;
                    noise ^= noise << 17;
                    // the sum of two even draws: a triangle between -32 and 30
                    int grain = (int) (noise & 31) + (int) ((noise >>> 32) & 31) - 32;
                    int slope = colour[3 * discs + band] * x / width + colour[3 * discs + 3 + band] * y / height;
                    int value = 128 + slope + grain + (inside < 0 ? 0 : colour[3 * inside + band]);
                    pixels[at++] = (byte) Math.max(0, Math.min(255, value));
                }
            }
        }
        return picture;
    }
}
