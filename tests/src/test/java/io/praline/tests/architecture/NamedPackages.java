package io.praline.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.PackageMatchers;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The packages of which a source names types. Class files do not tell all of them: a number or a text that is another
 * class's constant is written out by the compiler, and nothing says whose it was.
 */
final class NamedPackages {
    private static final Path ROOT = Path.of("..");

    /** What is no code: texts, characters, comments. Whichever begins first hides what looks like another in it. */
    private static final Pattern NO_CODE = Pattern.compile(
            "\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\])+'|//[^\\n]*|/\\*(?s:.*?)\\*/");

    private static final Pattern QUALIFIED = Pattern.compile("\\b((?:[a-z]\\w*\\.)*[a-z]\\w*)\\.[A-Z]");

    private static final Map<Path, SortedSet<String>> READ = new ConcurrentHashMap<>();

    private NamedPackages() {}

    /** To depend on classes of such packages, or to name them in the source. */
    static ArchCondition<JavaClass> know(String... packages) {
        return ArchConditions.dependOnClassesThat(resideInAnyPackage(packages)).or(name(packages));
    }

    private static ArchCondition<JavaClass> name(String... packages) {
        PackageMatchers such = PackageMatchers.of(packages);
        return new ArchCondition<>("name them in its source") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                source(type)
                        .map(file -> READ.computeIfAbsent(file, NamedPackages::read))
                        .ifPresent(named -> named.stream()
                                .filter(such)
                                .forEach(known -> events.add(SimpleConditionEvent.satisfied(
                                        type, "the source of " + type.getName() + " names types of " + known))));
            }
        };
    }

    /** Empty for what is generated, and for what stands in the source of another. */
    private static Optional<Path> source(JavaClass type) {
        if (type.isNestedClass() || type.getPackageName().equals("io.praline.schema")) {
            return Optional.empty();
        }
        String file = type.getSource()
                .flatMap(Source::getFileName)
                .orElseThrow(() -> new IllegalStateException("no source is known of " + type.getName()));
        return Optional.of(Path.of("src/main/java", type.getPackageName().replace('.', '/'), file));
    }

    /** Of whichever module has it: no two have one package. */
    private static SortedSet<String> read(Path within) {
        try (Stream<Path> modules = Files.list(ROOT)) {
            Path file = modules.map(module -> module.resolve(within))
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no module has " + within));
            return in(Files.readString(file));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Those that are named by an import or in full. */
    static SortedSet<String> in(String source) {
        SortedSet<String> named = new TreeSet<>();
        QUALIFIED
                .matcher(NO_CODE.matcher(source).replaceAll(" "))
                .results()
                .forEach(found -> named.add(found.group(1)));
        return named;
    }
}
