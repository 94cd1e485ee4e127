/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.page;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Predicate;

/** The files of results below a folder, each read once. */
final class ResultFiles {
  private final Path folder;
  private final Map<Path, BenchmarkResults> read = new HashMap<>();

  ResultFiles(Path folder) {
    this.folder = folder;
  }

  /** Returns whether a suite was measured on a machine. */
  boolean has(String machine, String suite) {
    return Files.exists(file(machine, suite));
  }

  private Path file(String machine, String suite) {
    return folder.resolve(machine).resolve(suite + ".json");
  }

  /** Returns the results of one suite on one machine. */
  BenchmarkResults of(String machine, String suite) {
    return read.computeIfAbsent(
        file(machine, suite),
        file -> {
          try {
            return BenchmarkResults.read(file);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /**
   * Returns one row.
   *
   * @throws NoSuchElementException if there is none
   */
  BenchmarkRow row(String machine, String work, String subject, String against) {
    return rows(
            machine, work, row -> row.subject().equals(subject) && row.against().equals(against))
        .stream()
        .findFirst()
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "%s has no %s of %s against %s".formatted(machine, work, subject, against)));
  }

  /** Returns the rows whose work, without the suite in front, is of a pattern. */
  List<BenchmarkRow> rows(String machine, String work, Predicate<BenchmarkRow> wanted) {
    String suite = work.substring(0, work.indexOf('/'));
    return of(machine, file(suite)).rows().stream()
        .filter(row -> row.name().matches(work) && wanted.test(row))
        .toList();
  }

  /** Returns the suite whose rows begin with a word. */
  private static String file(String word) {
    return switch (word) {
      case "kernel" -> "kernels";
      case "program" -> "programs";
      case "grid" -> "grids";
      default -> word;
    };
  }
}
