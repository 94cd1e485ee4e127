/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.rapids;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.kernels.gpu.DeviceArrays;
import io.sparkstencil.kernels.gpu.DeviceCells;
import io.sparkstencil.kernels.gpu.GpuEngine;
import io.sparkstencil.kernels.gpu.GpuLane;
import io.sparkstencil.spark.arrays.ArrayOperation;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.rapids.CudfCalls.Closing;

/**
 * Runs an operation over a list column that RAPIDS has in GPU memory: by our kernels, on the
 * column's own addresses, in the context that both share. Of the column, only the offsets come to
 * the host.
 */
public final class ListStencil {
  private static CudfCalls calls; // of the one RAPIDS that a process can have

  private ListStencil() {}

  /** Tells whether lists can take the operation: results have the type of the elements. */
  public static boolean suits(ArrayOperation operation) {
    return operation.spec().type() == operation.input() && !operation.framesCanBeEmpty();
  }

  private static synchronized CudfCalls calls(ClassLoader loader) {
    if (calls == null) {
      calls = new CudfCalls(loader);
    }
    return calls;
  }

  /**
   * Returns the results as a list column, which the caller owns.
   *
   * @param list a column of lists; borrowed
   * @throws io.sparkstencil.error.EngineUnavailableException if the GPU engine cannot be used here
   */
  public static Object apply(ArrayOperation operation, Object list) {
    CudfCalls cudf = calls(list.getClass().getClassLoader());
    if (cudf.rows(list) == 0) {
      return cudf.share(list);
    }
    try (Closing child = cudf.child(list)) {
      boolean hasNulls = cudf.nulls(child.what()) > 0;
      DeviceArrays arrays =
          new DeviceArrays(
              operation.stagedSpec(),
              operation.steps(),
              hasNulls,
              cudf.offsets(list),
              operation.cutLeft(),
              operation.cutRight());
      long cellBytes = (long) arrays.results() * operation.input().bytes();
      long bitBytes = hasNulls ? (arrays.results() + 511L) / 512 * 64 : 1;
      try (Closing cells = cudf.allocate(cellBytes);
          Closing validity = cudf.allocate(bitBytes);
          Closing offsets = cudf.allocate(4L * arrays.resultOffsets().length)) {
        cudf.write(arrays.resultOffsets(), offsets.what());
        // RAPIDS may have another GPU than the first; never empty, the offsets tell which.
        GpuEngine engine = ExecutorRuntime.current().gpuEngine(cudf.address(offsets.what()));
        run(engine, operation, arrays, cudf, child.what(), cells.what(), validity.what());
        Object bits = hasNulls ? validity.what() : null;
        try (Closing elements = cudf.cells(child.what(), arrays.results(), cells.what(), bits)) {
          return cudf.list(list, offsets.what(), elements.what());
        }
      }
    }
  }

  private static void run(
      GpuEngine engine,
      ArrayOperation operation,
      DeviceArrays arrays,
      CudfCalls cudf,
      Object source,
      Object cells,
      Object validity) {
    CompiledStencil stencil = engine.compile(operation.stagedSpec());
    try (Closing scratch = cudf.allocate(arrays.scratchBytes());
        GpuLane lane = engine.openLane()) {
      cudf.synchronize(); // our streams do not wait for cuDF's
      lane.submitArrays(
              stencil,
              arrays,
              new DeviceCells(cudf.dataAddress(source), cudf.validAddress(source)),
              new DeviceCells(cudf.address(cells), cudf.address(validity)),
              cudf.address(scratch.what()))
          .await();
    }
  }
}
