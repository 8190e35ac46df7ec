package io.praline.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.topics.Topic;
import io.praline.topics.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a machine can check of the documents: everything that they name is there, and the map has every room. */
class DocumentsTest {
    /** As CONTRIBUTING.md has it. */
    private static final int LINES_OF_A_FILE = 400;

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final List<String> MODULES = List.of(
            "schemas", "topics", "policies", "dispatcher-stream", "worker", "client-consumer", "deploy", "tests");

    private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)[^)]*\\)");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern TYPE = Pattern.compile("([A-Z][a-z]+\\w*)(?:\\.(\\w+)(?:\\(\\))?)?");
    private static final Pattern PACKAGED = Pattern.compile("io\\.praline((?:\\.[a-z]\\w*)+)(?:\\.([A-Z]\\w*))?");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");
    private static final Pattern ROOM =
            Pattern.compile("`((?:schema|identity|wire|topics|policy|dispatcher|worker|client|deploy|tests)[.\\w]*)`");

    /** What the documents name of Java and of libraries. */
    private static final List<String> LIBRARIES = List.of("java.lang.", "java.util.", "java.time.", "io.netty.buffer.");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "ARCHITECTURE.md", "PROTOCOL.md", "CONTRIBUTING.md", "CHANGELOG.md"})
    void whatADocumentNamesIsThere(String document) {
        String text = read(ROOT.resolve(document));
        String prose = FENCED.matcher(text).replaceAll("");
        Set<String> declared = declared();
        Set<String> absent = new TreeSet<>();
        LINK.matcher(prose).results().map(link -> link.group(1)).forEach(link -> {
            if (!link.contains("://") && !Files.exists(ROOT.resolve(link))) {
                absent.add("link " + link);
            }
        });
        CODE.matcher(prose).results().map(code -> code.group(1)).forEach(code -> {
            if (MODULES.stream().anyMatch(module -> code.startsWith(module + "/"))
                    && !Files.exists(ROOT.resolve(code))) {
                absent.add("path " + code);
            }
            MatchResult type = whole(TYPE, code);
            if (type != null && !declared.contains(type.group(1)) && !ofALibrary(type.group(1))) {
                absent.add("type " + code);
            }
        });
        PACKAGED.matcher(text).results().forEach(name -> {
            if (name.group(2) != null
                    ? !declared.contains(name.group(2))
                    : !packages().contains(name.group(1).substring(1))) {
                absent.add("package " + name.group());
            }
        });
        assertThat(absent).as("named in " + document + ", and nowhere else").isEmpty();
    }

    @Test
    void theMapHasEveryRoomAndNoOther() {
        String text = read(ROOT.resolve("ARCHITECTURE.md"));
        String map = text.substring(text.indexOf("## The map"), text.indexOf("## Who may import whom"));
        Set<String> drawn = ROOM.matcher(map)
                .results()
                .map(room -> room.group(1))
                .filter(room -> !MODULES.contains(room) || packages().contains(room))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(drawn).isEqualTo(packages());
    }

    @Test
    void theArchitectureIsReadInOneGo() {
        assertThat(read(ROOT.resolve("ARCHITECTURE.md")).lines().count()).isLessThanOrEqualTo(250);
    }

    @Test
    void theProtocolNamesEveryTopicThatIsServed() {
        String text = read(ROOT.resolve("PROTOCOL.md"));
        List<String> served = Topics.all().stream().map(Topic::name).toList();
        assertThat(served).allSatisfy(name -> assertThat(text).contains("`" + name + "`"));
    }

    @Test
    void noFileOfMainCodeIsTooLongToBeRead() {
        Map<Path, Long> tooLong = Stream.concat(sources("src/main/java"), python())
                .collect(Collectors.toMap(
                        ROOT::relativize, file -> read(file).lines().count()));
        tooLong.values().removeIf(lines -> lines <= LINES_OF_A_FILE);
        assertThat(tooLong).isEmpty();
    }

    @Test
    void noPackageOfMainCodeHasTooManyFiles() {
        Map<Path, Long> crowded =
                sources("src/main/java").collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
        crowded.entrySet().removeIf(each -> each.getValue() <= (each.getKey().endsWith("turn") ? 36 : 25));
        assertThat(crowded).isEmpty();
    }

    private static MatchResult whole(Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        return matcher.matches() ? matcher.toMatchResult() : null;
    }

    private static boolean ofALibrary(String type) {
        return LIBRARIES.stream().anyMatch(library -> {
            try {
                Class.forName(library + type, false, DocumentsTest.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException absent) {
                return false;
            }
        });
    }

    /** Packages below {@code io.praline} that hold code, tests' own among them. */
    private static Set<String> packages() {
        Set<String> packages = new TreeSet<>(Set.of("schema"));
        sources("src/main/java").forEach(file -> packages.add(packageOf(file, "src/main/java")));
        sources("src/test/java")
                .filter(file -> file.startsWith(ROOT.resolve("tests")))
                .forEach(file -> packages.add(packageOf(file, "src/test/java")));
        return packages;
    }

    private static String packageOf(Path file, String below) {
        String path = file.getParent().toString().replace('\\', '/');
        return path.substring(path.indexOf(below + "/io/praline/") + (below + "/io/praline/").length())
                .replace('/', '.');
    }

    /** Simple names of all types that are declared, by Java or by a schema. */
    private static Set<String> declared() {
        Set<String> names = new TreeSet<>();
        Stream.concat(sources("src/main/java"), sources("src/test/java"))
                .forEach(file -> DECLARED.matcher(read(file)).results().forEach(type -> names.add(type.group(1))));
        try (Stream<Path> schemas = Files.list(ROOT.resolve("schemas/src/main/avro"))) {
            schemas.forEach(file -> names.add(file.getFileName().toString().replace(".avsc", "")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }

    private static Stream<Path> sources(String below) {
        return MODULES.stream()
                .map(module -> ROOT.resolve(module).resolve(below))
                .filter(Files::isDirectory)
                .flatMap(folder -> files(folder, ".java"));
    }

    /** Python's package, and the programs beside it. */
    private static Stream<Path> python() {
        Path folder = ROOT.resolve("client-consumer/python");
        List<Path> files = files(folder, ".py")
                .filter(file -> !file.startsWith(folder.resolve("tests")))
                .toList();
        assertThat(files).isNotEmpty();
        return files.stream();
    }

    private static Stream<Path> files(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
