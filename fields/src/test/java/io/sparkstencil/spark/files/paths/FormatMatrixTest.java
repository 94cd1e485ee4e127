/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of many writers, types, compressions and chunkings are read bit for bit, or refused with a
 * remedy. make_matrix.py and make_npm_matrix.mjs make them: a part, which lies beside them, or all,
 * in a folder that {@code -Dstencil.test.matrix=FOLDER} names.
 */
final class FormatMatrixTest {
  private static final int MOST_CELLS_READ_AGAIN = 100_000;
  private static final String FOLDER = System.getProperty("stencil.test.matrix");

  @TempDir private static Path temporary;
  private static List<Path> folders;

  private final Map<String, int[]> counts = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();

  @BeforeAll
  static void unpack() throws IOException {
    folders =
        FOLDER == null
            ? List.of(
                FieldFixtures.unpack("matrix", temporary.resolve("matrix")),
                FieldFixtures.unpack("npm", temporary.resolve("npm")))
            : List.of(Path.of(FOLDER));
  }

  @Test
  void everyFieldIsReadBitForBitOrRefusedWithARemedy() throws IOException {
    for (Path folder : folders) {
      read(folder);
    }
    counts.forEach(
        (writer, count) ->
            System.out.printf("%s: %d read, %d refused%n", writer, count[0], count[1]));
    assertThat(wrong).isEmpty();
    assertThat(counts.values().stream().mapToInt(count -> count[0]).sum()).isGreaterThan(1000);
    assertThat(FOLDER != null || counts.values().stream().anyMatch(count -> count[1] > 0)).isTrue();
  }

  private void read(Path folder) throws IOException {
    List<String> outcomes = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("manifest.tsv"))) {
      String[] parts = line.split("\t");
      int[] count = counts.computeIfAbsent(parts[0], writer -> new int[2]);
      String outcome = "wrong";
      try {
        requireSame(folder.resolve(parts[1]).toString(), folder.resolve(parts[2]).toString());
        count[0]++;
        outcome = "same";
      } catch (FieldFileException e) {
        count[1]++;
        outcome = "refused";
        if (!parts[3].equals("either") || !e.getMessage().contains("; ")) {
          wrong.add("%s is refused: %s".formatted(parts[1], e.getMessage()));
        }
      } catch (AssertionError | RuntimeException e) {
        wrong.add("%s: %s".formatted(parts[1], e));
      }
      outcomes.add(String.join("\t", parts[0], parts[1], outcome));
    }
    Files.write(folder.resolve("outcomes.tsv"), outcomes); // for make_table.py
  }

  private static void requireSame(String field, String expected) {
    try (FieldReader found = FieldPaths.open(field, HADOOP);
        FieldReader wanted = FieldPaths.open(expected, HADOOP)) {
      assertThat(found.shape()).isEqualTo(wanted.shape());
      Box whole = FieldFixtures.whole(found.shape());
      double[] cells = (double[]) wanted.read(whole, ElementType.F64);
      requireSame((double[]) found.read(whole, ElementType.F64), cells);
      if (whole.cells() > MOST_CELLS_READ_AGAIN) {
        return;
      }
      Box inner =
          Box.between(whole.origin().stream().map(first -> first + 1).toList(), found.shape());
      requireSame(
          (double[]) found.read(inner, ElementType.F64),
          (double[]) wanted.read(inner, ElementType.F64));
      if (found.type() == ElementType.F32) {
        requireSame(FieldFixtures.doubles(found.read(whole, ElementType.F32)), cells);
      }
    }
  }

  private static void requireSame(double[] found, double[] wanted) {
    assertThat(found).hasSameSizeAs(wanted);
    for (int i = 0; i < wanted.length; i++) {
      if (Double.doubleToLongBits(found[i]) != Double.doubleToLongBits(wanted[i])) {
        throw new AssertionError("cell %d is %s, not %s".formatted(i, found[i], wanted[i]));
      }
    }
  }
}
