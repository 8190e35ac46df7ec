package io.praline.worker.storage.stage;

import io.praline.worker.storage.StoreFailed;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the content of an address lies below a root on disk, so that a graph can tell by the name alone:
 *
 * <pre>
 *   s3://bucket/a/b.tfrecord    ROOT/s3/bucket/a/b.tfrecord/=
 *   http://host:80/c            ROOT/http/host:80/c/=
 *   s3://bucket/d from byte 70  ROOT/s370/bucket/d/=
 * </pre>
 *
 * A folder for each, since {@code a} and {@code a/b} may both be objects.
 */
public final class StagedName {
    /** What a name looks like that is an address; for TensorFlow's regular expressions. */
    public static final String PATTERN = "^(s3|https?)://((?s:.*))$";

    /** What an address looks like, and behind a line feed the first byte that is read of it. */
    public static final String RANGE_PATTERN = "^(s3|https?)://((?s:.*))\\n0*([0-9]*)$";

    private static final String LAST = "=";
    private static final int LONGEST_PART = 255;

    private StagedName() {}

    /** What {@link #PATTERN} is replaced by, for TensorFlow's regular expressions. */
    public static String rewrite(String root) {
        return root.replace("\\", "\\\\") + "/\\1/\\2/" + LAST;
    }

    /** What {@link #RANGE_PATTERN} is replaced by: what begins at 0 lies where the whole does. */
    public static String rewriteRange(String root) {
        return root.replace("\\", "\\\\") + "/\\1\\3/\\2/" + LAST;
    }

    /**
     * Where an address lies.
     *
     * @param from the first byte that is read of it
     */
    static String under(String root, String address, long from) {
        return root + "/" + address.replaceFirst("://", from == 0 ? "/" : from + "/") + "/" + LAST;
    }

    /** A text with addresses again where it names files below the root. */
    static String told(String root, String text) {
        Matcher staged = Pattern.compile(Pattern.quote(root) + "/(s3|https?)[0-9]*/(.+?)/" + LAST)
                .matcher(text);
        return staged.replaceAll(found -> Matcher.quoteReplacement(found.group(1) + "://" + found.group(2)));
    }

    /**
     * Refuses an address that can be no name on disk.
     *
     * @throws StoreFailed as {@link StoreFailed.Kind#REFUSED}
     */
    public static void require(String address) {
        String[] parts = address.replaceFirst("://", "/").split("/", -1);
        for (String part : parts) {
            boolean odd = part.isEmpty() || part.equals(".") || part.equals("..") || part.equals(LAST);
            if (odd || part.indexOf('\0') >= 0 || part.getBytes(StandardCharsets.UTF_8).length > LONGEST_PART) {
                throw new StoreFailed(
                        StoreFailed.Kind.REFUSED,
                        address + " cannot be read: the part '" + part
                                + "' between slashes can be no name on disk; call it" + " otherwise");
            }
        }
    }
}
