/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The Python package calls methods by their names, which no compiler checks: they are those of
 * classes that users name. Needs no Python.
 */
final class PythonNamesTest {
  private static final Path PACKAGE =
      Path.of(System.getProperty("stencil.home"), "python", "sparkstencil");

  /** Names in the manner of Java, after a dot or as a text. */
  private static final Pattern METHOD = Pattern.compile("[.\"]([a-z]+[A-Z][A-Za-z]*)");

  private static final Pattern CLASS =
      Pattern.compile("\\.type\\([^\"()]*\"([\\w.]*\\.)?([A-Z]\\w*)\"\\)");

  /** Those of PySpark, and of exceptions and classes. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "dataType",
          "simpleString",
          "sparkContext",
          "sparkSession",
          "getClass",
          "getMessage",
          "getName");

  private static Set<String> found(Pattern pattern, int group) throws IOException {
    Set<String> names = new TreeSet<>();
    try (DirectoryStream<Path> sources = Files.newDirectoryStream(PACKAGE, "*.py")) {
      for (Path source : sources) {
        Matcher match = pattern.matcher(Files.readString(source));
        while (match.find()) {
          names.add(match.group(group));
        }
      }
    }
    return names;
  }

  private static void addMethods(Set<String> names, Class<?> of) {
    Arrays.stream(of.getMethods()).map(Method::getName).forEach(names::add);
  }

  @Test
  void methodsThatPythonCallsAreThere() throws Exception {
    Set<String> known = new HashSet<>(OF_OTHERS);
    addMethods(known, ByteBuffer.class);
    addMethods(known, ByteOrder.class);
    for (Map.Entry<String, Path> each : PublicApi.read().sourcesByName().entrySet()) {
      addMethods(known, Class.forName(each.getKey()));
    }

    assertThat(found(METHOD, 1)).hasSizeGreaterThan(15).isSubsetOf(known);
  }

  @Test
  void classesThatPythonNamesAreThoseOfUsers() throws IOException {
    Set<String> known = new HashSet<>(Set.of("ByteBuffer", "ByteOrder"));
    for (String name : PublicApi.read().sourcesByName().keySet()) {
      known.add(name.substring(name.lastIndexOf('.') + 1));
    }

    assertThat(found(CLASS, 2)).hasSizeGreaterThan(8).isSubsetOf(known);
  }
}
