/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Cells of a file.
 *
 * @param file what is read
 * @param hadoop the settings of file systems
 */
public record FileCells(FieldSource file, SerializableConfiguration hadoop) implements FieldCells {
  @Override
  public Object read(Box box, ElementType type) {
    try (FieldReader reader = file.open(hadoop.value())) {
      return reader.read(box, type);
    }
  }
}
