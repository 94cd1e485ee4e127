/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * One jar of this project's classes on the class path, as the build's shaded jar has them, for
 * tests that run before that is built: class files of all modules, and what several modules say in
 * {@code META-INF/services} one after the other.
 */
public final class ApplicationJar {
  private static final String SERVICES = "META-INF/services/";

  private ApplicationJar() {}

  /** Writes the jar. */
  public static Path write(Path target) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String element : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(element);
      if (Files.isDirectory(path) && path.endsWith("classes")) {
        addFolder(path, entries);
      } else if (path.getFileName() != null
          && path.getFileName().toString().startsWith("spark-stencil")) {
        addJar(path, entries);
      }
    }
    try (OutputStream file = Files.newOutputStream(target);
        JarOutputStream jar = new JarOutputStream(file)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
        jar.closeEntry();
      }
    }
    return target;
  }

  private static void addFolder(Path folder, Map<String, byte[]> entries) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        add(folder.relativize(file).toString(), Files.readAllBytes(file), entries);
      }
    }
  }

  private static void addJar(Path path, Map<String, byte[]> entries) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      Enumeration<JarEntry> all = jar.entries();
      while (all.hasMoreElements()) {
        JarEntry entry = all.nextElement();
        if (!entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
          add(entry.getName(), jar.getInputStream(entry).readAllBytes(), entries);
        }
      }
    }
  }

  private static void add(String name, byte[] content, Map<String, byte[]> entries) {
    entries.merge(
        name,
        content,
        (first, second) -> {
          if (!name.startsWith(SERVICES)) {
            return first;
          }
          ByteArrayOutputStream both = new ByteArrayOutputStream();
          both.writeBytes(first);
          both.write('\n');
          both.writeBytes(second);
          return both.toByteArray();
        });
  }
}
