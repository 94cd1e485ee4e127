/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.staging.Restaging;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Runs stencils over arrays in device memory and compares with the reference, array by array; on a
 * device or one made of host memory.
 */
final class DeviceArraysCheck {
  private static final int[] LENGTHS = {0, 33, 1, 700, 0, 2, 5, 64, 12_345};

  private final GpuEngine engine;

  DeviceArraysCheck(GpuEngine engine) {
    this.engine = engine;
  }

  void run() {
    List<Boundary> boundaries =
        List.of(
            Boundary.constant(0),
            Boundary.SHRINK,
            Boundary.NEAREST,
            Boundary.REFLECT,
            Boundary.MIRROR,
            Boundary.WRAP);
    for (Boundary boundary : boundaries) {
      for (Stencil stencil :
          List.of(
              Stencil.mean(Frame.radius(3)),
              Stencil.max(Frame.precedingFollowing(20, 1)),
              Stencil.weighted(Frame.precedingFollowing(1, 2), 0.25, -1, 3, 0.1))) {
        StencilSpec spec = new StencilSpec(stencil.withBoundary(boundary), ElementType.F32);
        for (boolean hasNulls : new boolean[] {false, true}) {
          check(spec, 1, hasNulls, 0);
          check(spec, 3, hasNulls, 2);
        }
      }
    }
  }

  private void check(StencilSpec spec, int steps, boolean hasNulls, int cut) {
    Random random = new Random(7);
    int[] offsets = new int[LENGTHS.length + 1];
    for (int i = 0; i < LENGTHS.length; i++) {
      offsets[i + 1] = offsets[i] + LENGTHS[i];
    }
    int total = offsets[LENGTHS.length];
    float[] cells = new float[total];
    byte[] validity = new byte[total];
    byte[] bits = new byte[(total + 31) / 32 * 4];
    for (int i = 0; i < total; i++) {
      cells[i] = random.nextFloat() - 0.5f;
      validity[i] = (byte) (!hasNulls || random.nextInt(5) > 0 ? 1 : 0);
      bits[i / 8] |= (byte) (validity[i] << (i % 8));
    }
    DeviceArrays arrays = new DeviceArrays(spec, steps, hasNulls, offsets, cut, cut);
    int results = arrays.results();
    float[] found = new float[results];
    byte[] foundBits = new byte[(results + 31) / 32 * 4];
    runOnDevice(arrays, cells, bits, found, foundBits);
    for (int i = 0; i < LENGTHS.length; i++) {
      float[] expected =
          expected(
              spec,
              steps,
              Arrays.copyOfRange(cells, offsets[i], offsets[i + 1]),
              hasNulls ? Arrays.copyOfRange(validity, offsets[i], offsets[i + 1]) : null);
      int from = arrays.resultOffsets()[i];
      int count = arrays.resultOffsets()[i + 1] - from;
      assertThat(count).isEqualTo(Math.max(0, LENGTHS[i] - 2 * cut));
      for (int j = 0; j < count; j++) {
        boolean isNull = hasNulls && (foundBits[(from + j) / 8] >> ((from + j) % 8) & 1) == 0;
        assertThat(isNull ? Float.NEGATIVE_INFINITY : found[from + j])
            .as("%s, %d steps, array %d, result %d", spec, steps, i, j)
            .isEqualTo(expected[cut + j]);
      }
    }
  }

  private void runOnDevice(
      DeviceArrays arrays, float[] cells, byte[] bits, float[] found, byte[] foundBits) {
    int total = cells.length;
    int results = arrays.results();
    PrimaryContext context = engine.context();
    try (GpuLane lane = engine.openLane();
        CudaStream stream = context.newStream();
        PinnedBuffer host = context.allocatePinned(4L * total + 64);
        DeviceBuffer in = context.allocateDevice(4L * total + 64);
        DeviceBuffer inBits = context.allocateDevice(bits.length + 64);
        DeviceBuffer out = context.allocateDevice(4L * total + 64);
        DeviceBuffer outBits = context.allocateDevice(bits.length + 64);
        DeviceBuffer scratch = context.allocateDevice(arrays.scratchBytes())) {
      host.view(0, 4L * total).asFloatBuffer().put(cells);
      stream.copyIn(host, 4L * total, in.address());
      stream.synchronize();
      host.view(0, bits.length).put(bits);
      stream.copyIn(host, bits.length, inBits.address());
      stream.synchronize();
      lane.submitArrays(
              engine.compile(arrays.spec()),
              arrays,
              new DeviceCells(in.address(), inBits.address()),
              new DeviceCells(out.address(), outBits.address()),
              scratch.address())
          .await();
      stream.copyOut(out.address(), 4L * results, host);
      stream.synchronize();
      host.view(0, 4L * results).asFloatBuffer().get(found);
      stream.copyOut(outBits.address(), foundBits.length, host);
      stream.synchronize();
      host.view(0, foundBits.length).get(foundBits);
    }
  }

  /** Returns the reference's results, minus infinity where they are null. */
  private static float[] expected(StencilSpec spec, int steps, float[] cells, byte[] validity) {
    int left = 32;
    int right = spec.frame().right();
    boolean missing = spec.boundary().leavesMissing();
    StagingLayout layout = new StagingLayout(left, right);
    if (cells.length > 0) {
      layout.add(cells.length, missing ? left : 0, missing ? right : 0);
    }
    float[] results = new float[cells.length];
    try (ReferenceEngine reference = new ReferenceEngine();
        Lane lane = reference.openLane()) {
      int staged = left + cells.length + right;
      HeapCellBuffer given = new HeapCellBuffer(ElementType.F32, staged, true);
      given.write(0, cells, 0, cells.length);
      if (validity != null) {
        given.writeValidity(0, validity, 0, cells.length);
      }
      CellBuffer input = new HeapCellBuffer(ElementType.F32, staged, true);
      StagedBatch unstaged = new StagedBatch(layout, given, validity != null);
      StagedBatch batch = Restaging.restage(unstaged, spec.boundary(), given, input);
      HeapCellBuffer output = new HeapCellBuffer(ElementType.F32, staged, true);
      HeapCellBuffer between = new HeapCellBuffer(ElementType.F32, staged, true);
      lane.submitSteps(batch, reference.compile(spec), output, between, steps).await();
      output.read(0, results, 0, cells.length);
      for (int i = 0; validity != null && i < results.length; i++) {
        results[i] = output.validity()[i] == 0 ? Float.NEGATIVE_INFINITY : results[i];
      }
    }
    return results;
  }
}
