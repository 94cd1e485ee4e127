/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.lines;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.ProjectModules;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The product's classes, which are compiled against one line of Spark, with the jars of the others.
 * docs/versions.md says how to run tests with these lines.
 */
final class SparkLinesTest {
  private static final List<Path> PRODUCT =
      ProjectModules.released().stream()
          .map(module -> HOME.resolve(module).resolve("target/classes"))
          .toList();

  /** The class path of this test: Spark as we compile, our classes and their other libraries. */
  private static final List<Path> COMPILED_AGAINST = paths(System.getProperty("java.class.path"));

  private static final Pattern INTERNAL =
      Pattern.compile("sun/|com/sun/(?!management/)|jdk/(?!incubator/vector/)");

  private static List<Path> paths(String classPath) {
    return Stream.of(classPath.strip().split(File.pathSeparator)).map(Path::of).toList();
  }

  /** Our classes and those of a line of Spark, and behind them what that line does not bring. */
  private static List<Path> withLine(String line) throws IOException {
    Path file = HOME.resolve("build/spark-" + line).resolve("target/class-path.txt");
    List<Path> all = new ArrayList<>(PRODUCT);
    all.addAll(paths(Files.readString(file)));
    COMPILED_AGAINST.stream()
        .filter(place -> !place.toString().contains("org/apache/spark"))
        .forEach(all::add);
    return all;
  }

  private static List<Path> productClasses() throws IOException {
    List<Path> classes = new ArrayList<>();
    for (Path module : PRODUCT) {
      try (Stream<Path> files = Files.walk(module)) {
        files
            .filter(file -> file.toString().endsWith(".class"))
            .filter(file -> !file.endsWith("package-info.class"))
            .forEach(classes::add);
      }
    }
    return classes;
  }

  private static List<String> problems(List<Path> linkedWith) throws IOException {
    List<String> problems = new ArrayList<>();
    try (ClassPath compiler = new ClassPath(COMPILED_AGAINST);
        ClassPath other = new ClassPath(linkedWith)) {
      LinkCheck check = new LinkCheck(compiler, other);
      for (Path file : productClasses()) {
        problems.addAll(check.problems(Files.readAllBytes(file)));
      }
    }
    return problems;
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.0", "4.2"})
  void allReferencesOfTheProductResolve(String line) throws IOException {
    assertThat(productClasses()).hasSizeGreaterThan(1000);
    assertThat(problems(withLine(line))).isEmpty();
  }

  @Test
  void theCheckAgreesWithTheCompiler() throws IOException {
    assertThat(problems(COMPILED_AGAINST)).isEmpty();
  }

  /** What is looked up at run time, which no reference shows. */
  @ParameterizedTest
  @ValueSource(strings = {"4.0", "4.2"})
  void whatIsLookedUpWhenItRunsIsThere(String line) throws Exception {
    List<URL> places = new ArrayList<>();
    for (Path place : withLine(line)) {
      places.add(url(place));
    }
    try (URLClassLoader loader =
        new URLClassLoader(places.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      for (String name : List.of("SparkLine", "SparkPages")) {
        Class<?> initialized =
            Class.forName("io.sparkstencil.spark.catalyst.lines." + name, true, loader);
        assertThat(initialized.getClassLoader()).isSameAs(loader);
      }
      assertThat(loader.loadClass("org.apache.spark.package").getProtectionDomain().toString())
          .contains(line);
    }
  }

  private static URL url(Path place) throws MalformedURLException {
    return place.toUri().toURL();
  }

  /**
   * Every JDK from 17 on has what we use of it, but for the Vector API, which may be absent. The
   * package com.sun.management is exported and documented.
   */
  @Test
  void theProductUsesNoInternalsOfTheJdk() throws IOException {
    Set<String> internals = new TreeSet<>();
    for (Path file : productClasses()) {
      References.of(Files.readAllBytes(file)).stream()
          .map(Reference::owner)
          .filter(owner -> INTERNAL.matcher(owner).lookingAt())
          .forEach(internals::add);
    }
    assertThat(internals).isEmpty();
  }
}
