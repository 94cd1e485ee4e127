/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import java.nio.FloatBuffer;
import java.util.Arrays;

/** One thread's copies, on a stream of its own: two slots take turns, as a task's do. */
final class CopyThread implements AutoCloseable {
  private static final long ALL_BYTES = 1L << 30; // of the arrays of all threads
  private static final int ARRAY_CELLS = 1 << 16;
  private static final int BATCH_ARRAYS = 8;
  private static final int BATCH_CELLS = ARRAY_CELLS * BATCH_ARRAYS;
  private static final long BATCH_BYTES = (long) BATCH_CELLS * Float.BYTES;

  private final CopyPart part;
  private final CloseScope scope = new CloseScope();
  private final CudaStream stream;
  private final Slot[] slots = new Slot[2];
  private final float[][] arrays;
  private final float[][] results = new float[BATCH_ARRAYS][ARRAY_CELLS];
  private int at; // of the arrays
  private float sum; // so that nobody can leave out what is read

  /** The memory of one batch. */
  private record Slot(
      PinnedBuffer in,
      FloatBuffer inCells,
      PinnedBuffer out,
      FloatBuffer outCells,
      DeviceBuffer device,
      CudaEvent done) {}

  CopyThread(CopyPart part, PrimaryContext context, int threads) {
    this.part = part;
    this.arrays = new float[(int) (ALL_BYTES / Float.BYTES / ARRAY_CELLS / threads)][ARRAY_CELLS];
    for (float[] array : arrays) {
      Arrays.fill(array, 1);
    }
    this.stream = scope.add(context.newStream());
    for (int i = 0; i < slots.length; i++) {
      PinnedBuffer in = scope.add(context.allocatePinned(BATCH_BYTES));
      PinnedBuffer out = scope.add(context.allocatePinned(BATCH_BYTES));
      slots[i] =
          new Slot(
              in,
              in.view(0, BATCH_BYTES).asFloatBuffer(),
              out,
              out.view(0, BATCH_BYTES).asFloatBuffer(),
              scope.add(context.allocateDevice(BATCH_BYTES)),
              scope.add(context.newMarker()));
    }
  }

  /** Copies for some seconds and returns the billions of cells per second. */
  double rate(double seconds) {
    long start = System.nanoTime();
    long batches = 0;
    while (System.nanoTime() - start < seconds * 1e9) {
      Slot slot = slots[(int) (batches % slots.length)];
      if (batches >= slots.length) {
        unstage(slot);
      }
      stage(slot);
      batches++;
    }
    double rate = (double) (batches - slots.length) * BATCH_CELLS / (System.nanoTime() - start);
    stream.synchronize();
    if (Float.isNaN(sum)) {
      throw new IllegalStateException("cells that were copied are not numbers");
    }
    return rate;
  }

  private void stage(Slot slot) {
    for (int i = 0; i < BATCH_ARRAYS && part.host; i++) {
      slot.inCells().put(i * ARRAY_CELLS, arrays[at], 0, ARRAY_CELLS);
      at = (at + 1) % arrays.length;
    }
    if (part.link) {
      stream.copyIn(slot.in(), BATCH_BYTES, slot.device().address());
      stream.copyOut(slot.device().address(), BATCH_BYTES, slot.out());
      slot.done().record(stream);
    }
  }

  private void unstage(Slot slot) {
    while (part.link && !slot.done().isReached()) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < BATCH_ARRAYS && part.host; i++) {
      float[] result = part.reused ? results[i] : new float[ARRAY_CELLS];
      slot.outCells().get(i * ARRAY_CELLS, result, 0, ARRAY_CELLS);
      sum += result[i];
    }
  }

  @Override
  public void close() {
    scope.close();
  }
}
