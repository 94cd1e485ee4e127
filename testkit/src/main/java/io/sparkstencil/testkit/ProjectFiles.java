/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of this project, without what builds, tools and environments leave beside them. */
public final class ProjectFiles {
  private ProjectFiles() {}

  /** Returns those whose names end in one of some words, in no order. */
  public static List<Path> endingIn(String... endings) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        ProjectModules.HOME,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.equals(ProjectModules.HOME) || isOurs(folder)
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (Stream.of(endings).anyMatch(file.getFileName().toString()::endsWith)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  private static boolean isOurs(Path folder) {
    String name = folder.getFileName().toString();
    return !name.startsWith(".")
        && !name.equals("target")
        && !Files.exists(folder.resolve("pyvenv.cfg"));
  }
}
