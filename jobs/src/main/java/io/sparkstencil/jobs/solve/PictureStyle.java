/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.jobs.chart.FieldAxes;
import io.sparkstencil.jobs.chart.FieldLook;
import io.sparkstencil.jobs.chart.PictureOptions;
import io.sparkstencil.spark.files.cells.FieldLabels;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * What all pictures of a run look like.
 *
 * @param options those of the user
 * @param look how cells become colours
 * @param axes with the coordinates of files
 * @param quantity what a file calls the field, for pictures before the first step
 */
record PictureStyle(PictureOptions options, FieldLook look, FieldAxes axes, String quantity) {
  /**
   * Returns the style of a problem.
   *
   * @param draws whether there are pictures: files are asked for coordinates only then
   */
  static PictureStyle of(
      PictureOptions options, Problem problem, boolean draws, Configuration hadoop) {
    FieldLook look = options.look();
    Map<String, FieldLabels> files = draws ? problem.labels(hadoop) : Map.of();
    FieldLabels own = files.get(problem.shown());
    return new PictureStyle(
        options,
        look,
        new FieldAxes(problem.axes(files), problem.program().axes(), problem.shape()),
        own == null ? problem.shown() : FieldAxes.quantity(own.attributes(), problem.shown()));
  }

  /** Returns what colours show after some steps. */
  String quantity(String field, long steps) {
    return options.quantity().orElse(steps == 0 ? quantity : field);
  }
}
