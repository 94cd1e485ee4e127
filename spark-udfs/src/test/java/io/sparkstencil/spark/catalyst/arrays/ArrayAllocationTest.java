/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.arrays.ArrayEngines;
import io.sparkstencil.spark.arrays.ArrayOperation;
import io.sparkstencil.spark.arrays.ArrayPipeline;
import io.sparkstencil.spark.arrays.ArrayPlan;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is allocated per element on the way of arrays through the operator. */
final class ArrayAllocationTest {
  private static final int CELLS = 10_000;
  private static final int ROWS = 2_000;

  /** Small objects per row (its array's wrapper, say), a hundredth of a byte per element. */
  private static final double BYTES_PER_ROW = 200;

  /**
   * Vectors are objects until the compiler has seen to it, which takes it longer on a busy machine:
   * one of so many rounds must be without.
   */
  private static final int ROUNDS = 20;

  @ParameterizedTest
  @EnumSource
  void rowsAllocateNextToNothing(ElementType type) {
    List<ArrayPlan.Call> calls =
        List.of(
            call(type, Stencil.mean(Frame.radius(8)), Boundary.VALID),
            call(type, Stencil.max(Frame.radius(3)), Boundary.REFLECT));
    ArrayPlan plan = ArrayPlan.of(List.of(new ArrayPlan.Input(type, true)), calls);
    ArrayDataReader reader = new ArrayDataReader(0, 0, type, true);
    ArrayRowWriter writer =
        new ArrayRowWriter(
            List.of(
                new ArrayRowWriter.Column(0, 0, 0, calls.get(0).operation().spec().type().bytes()),
                new ArrayRowWriter.Column(1, 1, 0, type.bytes())),
            2);
    UnsafeRow base = new UnsafeRow(2);
    base.pointTo(new byte[24], 24);
    base.setNullAt(0);
    base.setNullAt(1);
    UnsafeRow row = row(type);
    try (ArrayPipeline<UnsafeRow, UnsafeRow, UnsafeRow> pipeline =
        new ArrayPipeline<>(
            plan,
            ArrayEngines.local(plan),
            (in, arrays) -> {
              reader.read(in.getArray(0), arrays);
              return base;
            },
            writer::write)) {
      double perRow = Double.POSITIVE_INFINITY;
      for (int round = 0; round < ROUNDS && perRow >= BYTES_PER_ROW; round++) {
        perRow = Math.min(perRow, bytesPerRow(pipeline.run(repeat(row))));
      }
      assertThat(perRow).isLessThan(BYTES_PER_ROW);
    }
  }

  private static Iterator<UnsafeRow> repeat(UnsafeRow row) {
    return Collections.nCopies(ROWS, row).iterator();
  }

  private static double bytesPerRow(Iterator<UnsafeRow> results) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    long cells = drain(results);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(cells).isEqualTo((long) ROWS * (CELLS - 16 + CELLS));
    return (double) bytes / ROWS;
  }

  private static ArrayPlan.Call call(ElementType type, Stencil stencil, Boundary boundary) {
    return new ArrayPlan.Call(0, ArrayOperation.of(type, stencil.withBoundary(boundary)));
  }

  private static UnsafeRow row(ElementType type) {
    UnsafeArrayData data =
        switch (type) {
          case F32 -> UnsafeArrayData.fromPrimitiveArray(new float[CELLS]);
          case F64 -> UnsafeArrayData.fromPrimitiveArray(new double[CELLS]);
          case I32 -> UnsafeArrayData.fromPrimitiveArray(new int[CELLS]);
          case I64 -> UnsafeArrayData.fromPrimitiveArray(new long[CELLS]);
        };
    byte[] bytes = new byte[16 + data.getSizeInBytes()];
    Platform.putLong(bytes, Platform.BYTE_ARRAY_OFFSET + 8L, (16L << 32) | data.getSizeInBytes());
    data.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET + 16L);
    UnsafeRow row = new UnsafeRow(1);
    row.pointTo(bytes, bytes.length);
    return row;
  }

  private static long drain(Iterator<UnsafeRow> rows) {
    long cells = 0;
    while (rows.hasNext()) {
      UnsafeRow row = rows.next();
      cells += row.getArray(0).numElements() + row.getArray(1).numElements();
    }
    return cells;
  }
}
