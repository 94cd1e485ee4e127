/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import java.io.Serializable;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * A field that many tasks write into one file. The driver makes the writer and sends it to tasks;
 * each task writes its boxes; the driver then calls {@link #commit}, or {@link #abort} if a task
 * failed. Until the commit nothing can be read under the final name.
 *
 * <pre>{@code
 * List<Long> shape = List.of(2L, 3L);
 * FieldWriter writer =
 *     FieldPaths.create("/shared/u.npy", ElementType.F64, shape, Extent.of(2, 3), hadoop);
 * writer.write(Box.between(List.of(0L, 0L), shape), new double[] {1, 2, 3, 4, 5, 6}, hadoop);
 * writer.commit(hadoop);
 * }</pre>
 */
public interface FieldWriter extends Serializable {
  /** Returns the type of the cells in the file: F32 or F64. */
  ElementType type();

  /** Returns the cells along each axis, slowest first. */
  List<Long> shape();

  /**
   * Writes a box of cells. The boxes of all calls together cover the shape. Writing a box again
   * with the same cells does no harm: tasks may be repeated, or run twice at the same time.
   *
   * @param box cells inside the shape; formats with chunks take whole chunks only
   * @param cells the box's cells, slowest axis first: {@code float[]} or {@code double[]}, by
   *     {@link #type}
   * @param hadoop the settings of file systems
   * @throws FieldFileException if the box is not one that the format can write, or writing fails
   */
  void write(Box box, Object cells, Configuration hadoop);

  /**
   * Makes the file readable under its name, after all boxes are written. Called once, on the
   * driver.
   *
   * @throws FieldFileException if boxes are missing, or writing fails
   */
  void commit(Configuration hadoop);

  /** Removes what was written before a commit. Calling it again does nothing. */
  void abort(Configuration hadoop);
}
