/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.spark.arrays.ArrayOperation;
import io.sparkstencil.spark.arrays.ArrayPlan;
import io.sparkstencil.spark.arrays.ArrayStencil;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** What arrays leave on the heap on their way through an engine. */
final class ArrayAllocations {
  /** Small objects per row (its array's wrapper, say), a hundredth of a byte per element. */
  static final double BYTES_PER_ROW = 200;

  private static final int CELLS = 10_000;
  private static final int ROWS = 2_000;

  /**
   * Vectors are objects until the compiler has seen to it, which takes it longer on a busy machine,
   * and buffers are taken once: one of so many rounds must be without.
   */
  private static final int ROUNDS = 20;

  private ArrayAllocations() {}

  /**
   * Returns the bytes per row that the operator's way takes, from rows with an array to rows with
   * two results.
   *
   * @param engines gives the engines for a plan; the caller closes them
   */
  static double perRow(
      ElementType type, Function<ArrayPlan, List<? extends StencilEngine>> engines) {
    List<ArrayPlan.InputOperation> calls =
        List.of(
            call(type, Stencil.mean(Frame.radius(8)), Boundary.VALID),
            call(type, Stencil.max(Frame.radius(3)), Boundary.REFLECT));
    ArrayPlan plan = ArrayPlan.of(List.of(type), calls);
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
    try (PartitionPipeline<UnsafeRow, UnsafeRow, UnsafeRow> pipeline =
        plan.pipeline(
            engines.apply(plan),
            (in, arrays) -> {
              reader.read(in.getArray(0), arrays);
              return base;
            },
            writer::write)) {
      return least(
          pipeline.run(Collections.nCopies(ROUNDS * ROWS, row).iterator()),
          result -> result.getArray(0).numElements() + result.getArray(1).numElements(),
          CELLS - 16 + CELLS,
          BYTES_PER_ROW);
    }
  }

  /** Returns the bytes per array of floats of an RDD, without its result. */
  static double perArray(ArrayStencil<float[], float[]> mean) {
    float[] array = new float[CELLS];
    double ofResult = 16 + 4.0 * CELLS;
    Iterator<float[]> results = mean.apply(Collections.nCopies(ROUNDS * ROWS, array).iterator());
    double bytes = least(results, result -> result.length, CELLS, ofResult + BYTES_PER_ROW);
    results.forEachRemaining(result -> {}); // the end gives everything back
    return bytes - ofResult;
  }

  /** Returns the bytes per result in the first round that took less than {@code enough}. */
  private static <T> double least(
      Iterator<T> results, ToLongFunction<T> cells, long cellsPerRow, double enough) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.POSITIVE_INFINITY;
    for (int round = 0; round < ROUNDS && least >= enough; round++) {
      long start = threads.getCurrentThreadAllocatedBytes();
      long seen = 0;
      for (int i = 0; i < ROWS; i++) {
        seen += cells.applyAsLong(results.next());
      }
      long bytes = threads.getCurrentThreadAllocatedBytes() - start;
      assertThat(seen).isEqualTo(ROWS * cellsPerRow);
      least = Math.min(least, (double) bytes / ROWS);
    }
    return least;
  }

  private static ArrayPlan.InputOperation call(
      ElementType type, Stencil stencil, Boundary boundary) {
    return new ArrayPlan.InputOperation(0, ArrayOperation.of(type, stencil.withBoundary(boundary)));
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
}
