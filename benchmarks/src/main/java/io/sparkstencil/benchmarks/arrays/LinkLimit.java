/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;

/** What the link to the GPU can carry: pinned memory copied there and back at the same time. */
final class LinkLimit {
  private static final long BYTES = 64L << 20;
  private static final int COPIES = 16;
  private static final int SAMPLES = 9;

  private LinkLimit() {}

  /** Returns the bytes per second that go each way while both ways are busy, a median. */
  static double bytesPerSecondEachWay() {
    double[] rates = new double[SAMPLES];
    try (PrimaryContext context = CudaDriver.get().open(0);
        PinnedBuffer in = context.allocatePinned(BYTES);
        PinnedBuffer out = context.allocatePinned(BYTES);
        DeviceBuffer there = context.allocateDevice(BYTES);
        DeviceBuffer back = context.allocateDevice(BYTES);
        CudaStream up = context.newStream();
        CudaStream down = context.newStream()) {
      for (int sample = -1; sample < SAMPLES; sample++) {
        long start = System.nanoTime();
        for (int copy = 0; copy < COPIES; copy++) {
          up.copyIn(in, BYTES, there.address());
          down.copyOut(back.address(), BYTES, out);
        }
        up.synchronize();
        down.synchronize();
        double seconds = (System.nanoTime() - start) * 1e-9;
        if (sample >= 0) {
          rates[sample] = COPIES * BYTES / seconds;
        }
      }
    }
    return Quantiles.median(rates);
  }
}
