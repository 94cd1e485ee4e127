/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * What is in a jar with all dependencies, and what is wrong with that. Every method returns a line
 * for each problem.
 */
final class ShadedJar {
  /** Where classes of libraries lie in their own jars, and where in ours. */
  private static final Map<String, String> MOVED =
      Map.of(
          "picocli/", "io/sparkstencil/shaded/picocli/",
          "com/eclipsesource/json/", "io/sparkstencil/shaded/json/",
          "org/knowm/", "io/sparkstencil/shaded/knowm/",
          "org/apache/batik/", "io/sparkstencil/shaded/batik/");

  /** Ours and what is moved; JCuda, whose native libraries know its names; what describes it. */
  private static final Pattern OURS =
      Pattern.compile(
          "io/sparkstencil/.*|jcuda/.*|lib/libJ[A-Za-z]+-[0-9.]+-linux-x86_64\\.so"
              + "|META-INF/(MANIFEST\\.MF|LICENSE|NOTICE|services/.*)");

  /** Packages of the RAPIDS Accelerator. */
  private static final Pattern RAPIDS = Pattern.compile("(com/nvidia|ai/rapids)/.*");

  private static final String NOTICE = "META-INF/NOTICE";

  private final Map<String, byte[]> files;

  private ShadedJar(Map<String, byte[]> files) {
    this.files = files;
  }

  /** Reads all files of a jar. */
  static ShadedJar read(Path jar) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        if (!entry.isDirectory()) {
          try (InputStream in = zip.getInputStream(entry)) {
            files.put(entry.getName(), in.readAllBytes());
          }
        }
      }
    }
    return new ShadedJar(files);
  }

  /** Files that are neither ours nor moved, so that they could hide those of another jar. */
  List<String> strangers() {
    return files.keySet().stream()
        .filter(name -> !OURS.matcher(name).matches() || RAPIDS.matcher(name).matches())
        .map(name -> name + " is neither ours nor moved")
        .toList();
  }

  /** Classes that refer to a library where it is not: it would be found in Spark, or not at all. */
  List<String> references() {
    List<String> problems = new ArrayList<>();
    files.forEach(
        (name, bytes) -> {
          if (name.endsWith(".class")) {
            String text = new String(bytes, ISO_8859_1);
            for (String library : MOVED.keySet()) {
              // A name follows its length, which is two bytes, or the L of a type.
              if (Pattern.compile("(\\x00.|[(;)\\[]L)" + library).matcher(text).find()) {
                problems.add(name + " refers to " + library);
              }
            }
          }
        });
    return problems;
  }

  /** Classes that jars of {@code classPath} hold as well. */
  List<String> clashes(Collection<Path> classPath) throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path jar : classPath) {
      for (String name : names(jar)) {
        if (name.endsWith(".class") && files.containsKey(name)) {
          problems.add(name + " is in " + jar.getFileName() + " too");
        }
      }
    }
    return problems;
  }

  /** Returns those of {@code libraries} that files in this jar come from. */
  Set<Path> sources(Collection<Path> libraries) throws IOException {
    Set<Path> sources = new TreeSet<>();
    for (Path jar : libraries) {
      for (String name : names(jar)) {
        if (!name.startsWith("META-INF/") && files.containsKey(moved(name))) {
          sources.add(jar);
        }
      }
    }
    return sources;
  }

  /** Libraries of {@code sources} that the NOTICE in the jar does not name. */
  List<String> unnamed(Collection<Path> sources) {
    String notice = new String(files.getOrDefault(NOTICE, new byte[0]), UTF_8);
    return sources.stream()
        .map(jar -> jar.getParent().getParent().getFileName().toString())
        .filter(artifact -> !Pattern.compile("[:( ]" + artifact + "[,)]").matcher(notice).find())
        .map(artifact -> "NOTICE does not name " + artifact)
        .toList();
  }

  private static String moved(String name) {
    for (Map.Entry<String, String> each : MOVED.entrySet()) {
      if (name.startsWith(each.getKey())) {
        return each.getValue() + name.substring(each.getKey().length());
      }
    }
    return name;
  }

  private static List<String> names(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream().filter(e -> !e.isDirectory()).map(ZipEntry::getName).toList();
    }
  }
}
