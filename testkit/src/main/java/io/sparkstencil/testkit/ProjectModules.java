/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The modules of this project that have sources, as its pom lists them, by their folders. */
public final class ProjectModules {
  /** Where the project lies. */
  public static final Path HOME = Path.of(System.getProperty("stencil.home")).toAbsolutePath();

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Set<String> UNRELEASED = Set.of("testkit", "benchmarks");

  private ProjectModules() {}

  /** Returns all modules, in the order in which they are built. */
  public static List<String> all() {
    try {
      return MODULE
          .matcher(Files.readString(HOME.resolve("pom.xml")))
          .results()
          .map(found -> found.group(1))
          .filter(module -> Files.isDirectory(HOME.resolve(module).resolve("src/main/java")))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns those that a release has. */
  public static List<String> released() {
    return all().stream().filter(module -> !UNRELEASED.contains(module)).toList();
  }
}
