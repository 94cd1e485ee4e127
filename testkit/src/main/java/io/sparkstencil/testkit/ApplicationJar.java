/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
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
        addTree(path, entries);
      } else if (path.getFileName() != null
          && path.getFileName().toString().startsWith("spark-stencil")) {
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
          addTree(jar.getPath("/"), entries);
        }
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

  private static void addTree(Path root, Map<String, byte[]> entries) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString();
        if (!name.equals(JarFile.MANIFEST_NAME)) {
          add(name, Files.readAllBytes(file), entries);
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
