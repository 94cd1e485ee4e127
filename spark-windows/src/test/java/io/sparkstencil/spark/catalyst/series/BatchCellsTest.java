/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import scala.collection.AbstractIterator;

final class BatchCellsTest {
  /** One batch for all rows, without rows as soon as another is asked for, as that of Parquet. */
  private static final class UsedAgain extends AbstractIterator<ColumnarBatch> {
    private final ColumnarBatch batch = new ColumnarBatch(new ColumnVector[0]);
    private final int[] rows;
    private int next;

    UsedAgain(int... rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      batch.setNumRows(0);
      if (next < rows.length) {
        batch.setNumRows(rows[next]);
      }
      return next < rows.length;
    }

    @Override
    public ColumnarBatch next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      next++;
      return batch;
    }
  }

  @Test
  void noRowsRemainHoweverOftenTheyAreAskedFor() {
    BatchCells cells = new BatchCells(new UsedAgain(15, 0, 4));
    for (int rows : new int[] {15, 4}) {
      assertThat(cells.remaining()).isEqualTo(rows);
      cells.read(rows - 1, List.of(), new CellColumn[0]);
      assertThat(cells.remaining()).isEqualTo(1);
      cells.read(1, List.of(), new CellColumn[0]);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(cells.remaining()).isZero();
    }
  }
}
