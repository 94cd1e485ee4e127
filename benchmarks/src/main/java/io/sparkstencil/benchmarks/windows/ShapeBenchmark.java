/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Windows over series of many shapes, as rows of the suite {@code sql}. */
@Command(
    name = "shapes",
    description = "SQL windows over series of many shapes, into the suite sql.")
public final class ShapeBenchmark extends TableBenchmark {
  @Option(names = "--radii", split = ",", defaultValue = "8", description = "Radii.")
  private List<Integer> radii;

  @Option(
      names = "--shapes",
      split = ",",
      defaultValue = "avg,many,few,skewed,five,frames,bigint,decimal,string",
      description =
          "Any of ${COMPLETION-CANDIDATES}: a mean over the series, over series of 64 rows, over 16 series, over"
              + " series of which one has nine of ten rows; five functions, a function over five frames; a mean of"
              + " bigint, of decimal(15,2); with texts of 20 bytes beside.")
  private List<WindowShape> shapes;

  @Option(
      names = "--work",
      split = ",",
      defaultValue = "partitioned,shuffled",
      description = "How rows come: by time, as from a feed; in random order.")
  private List<ShapeArrival> works;

  /** How rows come. The names are those in the names of rows. */
  private enum ShapeArrival {
    PARTITIONED("cells"),
    SHUFFLED("shuffled");

    private final String view;

    ShapeArrival(String view) {
      this.view = view;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  protected String suite() {
    return "sql";
  }

  @Override
  void measureQueries() {
    for (ShapeArrival work : works) {
      for (WindowShape shape : shapes) {
        for (int radius : radii) {
          measure(
              "sql/%s/%s/%%d/k=%d".formatted(shape, work, radius), shape.sql(radius, work.view));
        }
      }
    }
  }

  @Override
  List<String> otherPeers(String subject) {
    return subject.equals(RAPIDS) ? ENGINES : List.of();
  }
}
