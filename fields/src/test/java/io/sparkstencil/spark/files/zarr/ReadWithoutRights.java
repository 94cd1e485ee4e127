/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that reads a field without the right of root to read everything. */
final class ReadWithoutRights {
  private static final String RIGHTS = "-dac_override,-dac_read_search";

  private ReadWithoutRights() {}

  /** Returns what the process says: a failure, or nothing if it could read. */
  static String of(Path field) throws IOException {
    Process process =
        new ProcessBuilder(
                "setpriv",
                "--bounding-set=" + RIGHTS,
                "--inh-caps=" + RIGHTS,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ReadWithoutRights.class.getName(),
                field.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Reads all cells of an array and prints why that is not possible. */
  public static void main(String[] arguments) {
    try (FieldReader reader = FieldPaths.open(arguments[0], FieldFixtures.HADOOP)) {
      reader.read(FieldFixtures.whole(reader.shape()), reader.type());
    } catch (FieldFileException e) {
      System.out.println(e.getMessage());
    }
  }
}
