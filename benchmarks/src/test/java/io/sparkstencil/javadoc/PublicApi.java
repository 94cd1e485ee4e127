/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.javadoc;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sources of the classes that users name, as the property public.api of the pom lists them. */
record PublicApi(Map<String, List<Path>> sourcesByPackage) {
  private static final Path HOME = Path.of(System.getProperty("stencil.home")).toAbsolutePath();
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\\n(.*?)\\n *\\* ?}</pre>", Pattern.DOTALL);

  /** Reads the list: {@code package: Class Class}, and so on. */
  static PublicApi read() throws IOException {
    List<Path> roots = new ArrayList<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(HOME, Files::isDirectory)) {
      for (Path module : modules) {
        if (Files.isDirectory(module.resolve("src/main/java"))) {
          roots.add(module.resolve("src/main/java"));
        }
      }
    }
    Map<String, List<Path>> sources = new LinkedHashMap<>();
    String at = null;
    for (String word : System.getProperty("public.api").strip().split("\\s+")) {
      if (word.endsWith(":")) {
        at = word.substring(0, word.length() - 1);
        sources.put(at, new ArrayList<>());
      } else {
        sources.get(at).add(source(roots, at, word));
      }
    }
    return new PublicApi(sources);
  }

  private static Path source(List<Path> roots, String inPackage, String name) {
    String file = inPackage.replace('.', '/') + "/" + name + ".java";
    return roots.stream()
        .map(root -> root.resolve(file))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("there is no class " + file));
  }

  List<Path> sources() {
    return sourcesByPackage.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the source of each class by its full name. */
  Map<String, Path> sourcesByName() {
    Map<String, Path> named = new LinkedHashMap<>();
    sourcesByPackage.forEach(
        (inPackage, sources) ->
            sources.forEach(
                source ->
                    named.put(
                        inPackage + "." + source.getFileName().toString().replace(".java", ""),
                        source)));
    return named;
  }

  /** Returns what says of each package what it is, and where to begin. */
  List<Path> packageInfos() {
    return sourcesByPackage.values().stream()
        .map(sources -> sources.get(0).resolveSibling("package-info.java"))
        .toList();
  }

  /** Returns the blocks of Java in the documentation of a source, without their margins. */
  static List<String> examples(Path source) throws IOException {
    Matcher blocks = EXAMPLE.matcher(Files.readString(source));
    List<String> examples = new ArrayList<>();
    while (blocks.find()) {
      examples.add(blocks.group(1).replaceAll("(?m)^ *\\* ?", ""));
    }
    return examples;
  }
}
