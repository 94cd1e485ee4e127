/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.ProjectModules;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is read from the sources of all modules: names, sizes, and the pages that name classes. */
final class SourcesTest {
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w+)");

  /** A name of two words or more, marked as code in a page or in javadoc. */
  private static final Pattern NAMED =
      Pattern.compile("(?:`|\\{@code |\\{@link (?:[a-z.]+\\.)?)([A-Z][a-z0-9]+[A-Z]\\w+)");

  private static final Set<String> OF_OTHERS = Set.of("CuPy", "ServiceLoader");

  private static List<Path> sources(String... kinds) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String kind : kinds) {
      try (DirectoryStream<Path> roots =
          Files.newDirectoryStream(HOME, folder -> Files.isDirectory(folder.resolve(kind)))) {
        for (Path root : roots) {
          try (Stream<Path> files = Files.walk(root.resolve(kind))) {
            files
                .filter(file -> file.toString().endsWith(".java"))
                .filter(file -> !file.endsWith("package-info.java"))
                .forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }

  @Test
  void noTwoClassesHaveOneName() throws IOException {
    List<Path> sources = sources("src/main/java", "src/test/java");
    Map<String, List<String>> byName =
        sources.stream()
            .collect(
                Collectors.groupingBy(
                    file -> file.getFileName().toString(),
                    TreeMap::new,
                    Collectors.mapping(
                        file -> HOME.relativize(file).toString(), Collectors.toList())));
    byName.values().removeIf(places -> places.size() == 1);
    assertThat(sources).hasSizeGreaterThan(1500);
    assertThat(byName).isEmpty();
  }

  @Test
  void noModuleHasMoreThanAQuarterOfAllLines() throws IOException {
    Map<String, Long> lines = new TreeMap<>();
    for (Path file : sources("src/main/java")) {
      String module = HOME.relativize(file).getName(0).toString();
      try (Stream<String> all = Files.lines(file)) {
        lines.merge(module, all.count(), Long::sum);
      }
    }
    long all = lines.values().stream().mapToLong(Long::longValue).sum();
    assertThat(lines).hasSizeGreaterThan(10);
    lines.forEach((module, count) -> assertThat(4 * count).as(module).isLessThanOrEqualTo(all));
  }

  private static Set<String> unknown(String page, Set<String> classes) {
    return NAMED
        .matcher(page.replaceAll("\\s+\\*?\\s*", " "))
        .results()
        .map(found -> found.group(1))
        .filter(name -> !classes.contains(name) && !OF_OTHERS.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void pagesOfModulesAndPackagesNameClassesThatAreThere() throws IOException {
    Set<String> classes = new HashSet<>();
    List<Path> pages = new ArrayList<>();
    pages.add(HOME.resolve("ARCHITECTURE.md"));
    for (Path file : sources("src/main/java", "src/test/java")) {
      DECLARED
          .matcher(Files.readString(file))
          .results()
          .forEach(found -> classes.add(found.group(1)));
    }
    for (String module : ProjectModules.all()) {
      pages.add(HOME.resolve(module).resolve("README.md"));
      try (Stream<Path> files = Files.walk(HOME.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.endsWith("package-info.java")).forEach(pages::add);
      }
    }
    Map<String, Set<String>> unknown = new TreeMap<>();
    for (Path page : pages) {
      if (Files.exists(page)) { // testkit has none
        unknown.put(HOME.relativize(page).toString(), unknown(Files.readString(page), classes));
      }
    }

    assertThat(unknown).hasSizeGreaterThan(100);
    assertThat(unknown).allSatisfy((page, names) -> assertThat(names).as(page).isEmpty());
    assertThat(unknown("{@code\n *     NoSuchClass} and `SourcesTest`", classes))
        .containsExactly("NoSuchClass");
  }
}
