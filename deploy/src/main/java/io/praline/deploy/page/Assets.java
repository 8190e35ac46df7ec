package io.praline.deploy.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The page's own files, by the path under which a browser asks for them.
 *
 * @param files with their media types; nobody changes their bytes
 */
record Assets(Map<String, Asset> files) {
    /** Named one by one: what is not here is not served. */
    private static final List<String> NAMES = List.of(
            "index.html",
            "icon.svg",
            "page.css",
            "page.mjs",
            "elements.mjs",
            "jobs.mjs",
            "job.mjs",
            "files.mjs",
            "charts.mjs",
            "cluster.mjs",
            "uplot/uPlot.esm.js",
            "uplot/uPlot.min.css",
            "uplot/LICENSE");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "svg", "image/svg+xml",
            "css", "text/css; charset=utf-8",
            "mjs", "text/javascript; charset=utf-8",
            "js", "text/javascript; charset=utf-8");

    /** One file. */
    static final class Asset {
        private final String type;
        private final byte[] bytes;

        Asset(String type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
        }

        String type() {
            return type;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    static Assets load() {
        Map<String, Asset> files = new TreeMap<>();
        for (String name : NAMES) {
            String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain; charset=utf-8");
            files.put("/" + name, new Asset(type, read(name)));
        }
        files.put("/", files.get("/index.html"));
        return new Assets(Map.copyOf(files));
    }

    private static byte[] read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("this installation lacks the page's " + name);
            }
            return in.readAllBytes();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read the page's " + name + ": " + failed.getMessage(), failed);
        }
    }

    Optional<Asset> get(String path) {
        return Optional.ofNullable(files.get(path));
    }
}
