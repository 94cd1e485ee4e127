/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.cells;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import java.util.List;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Cells of a file.
 *
 * @param file what is read
 * @param hadoop the settings of file systems
 */
public record FileCells(FieldSource file, SerializableConfiguration hadoop) implements FieldCells {
  @Override
  public Reader open() {
    return new OpenFile(file.open(hadoop.value()));
  }

  private record OpenFile(FieldReader file) implements Reader {
    @Override
    public Object read(Box box, ElementType type) {
      return Cancellation.call(() -> file.read(box, type)); // files end with an interrupt
    }

    @Override
    public List<Box> pieces(Box box, int mostCells) {
      return file.pieces(box, mostCells);
    }

    @Override
    public long bytes(Box box) {
      return file.heapBytes(box);
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
