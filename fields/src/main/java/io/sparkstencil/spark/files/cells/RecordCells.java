/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import io.sparkstencil.grid.Box;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.codec.ReadAs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Cells of records: those of each position along the first axis lie one after another, and other
 * arrays lie between them.
 *
 * @param first the cells of the first record, an array of one position along the first axis
 * @param recordBytes from the start of a record to that of the next
 */
public record RecordCells(FlatCells first, long recordBytes) implements StoredCells {
  @Override
  public Object read(Box box, ReadAs read) throws IOException {
    Object cells = read.type().newArray(box.cells());
    List<Long> origin = new ArrayList<>(box.origin());
    List<Integer> sizes = new ArrayList<>(box.extent().sizes());
    origin.set(0, 0L);
    sizes.set(0, 1);
    Box inRecord = new Box(origin, new Extent(sizes));
    for (int i = 0; i < box.size(0); i++) {
      FlatCells record =
          new FlatCells(
              first.bytes(),
              first.offset() + Math.multiplyExact(box.start(0) + i, recordBytes),
              first.shape(),
              first.format());
      record.readInto(inRecord, read, cells, i * inRecord.cells());
    }
    return cells;
  }

  @Override
  public long heapBytes() {
    return first.heapBytes();
  }
}
