/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.kernels.codegen.survey.StreamKernel;
import io.sparkstencil.kernels.codegen.survey.StreamKernel.Task;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;

/** Kernels that go over memory once: their launches, their bytes, and what the CPU expects. */
public final class Streams {
  private static final int CHECKED_BLOCKS = 8;

  private Streams() {}

  /** Returns the bytes that a launch over all of the arrays reads and writes. */
  public static double bytes(Bench bench, StreamKernel kernel) {
    double array = bench.effort().arrayBytes();
    double results = array / kernel.unitBytes() / kernel.unitsPerThread() * Integer.BYTES;
    return switch (kernel.task()) {
      case COPY -> 2 * array;
      case READ -> array + results;
      case WRITE -> array;
    };
  }

  /** Compares a few blocks with the CPU, then times a launch over all of the arrays. */
  public static Timing measure(Bench bench, StreamKernel kernel) {
    int unitsPerBlock = kernel.threads() * kernel.unitsPerThread();
    long units = bench.effort().arrayBytes() / kernel.unitBytes();
    BenchLaunch work = BenchLaunch.of(kernel, (int) (units / unitsPerBlock), bench.arguments());
    int checked = Math.min(work.blocks(), CHECKED_BLOCKS);
    int perUnit = kernel.unitBytes() / Integer.BYTES;
    int words = checked * (kernel.task() == Task.READ ? kernel.threads() : unitsPerBlock * perUnit);
    bench.check(work.with(checked), words, word -> expected(kernel, word));
    return bench.time(work);
  }

  /** Returns what a launch writes to a word. */
  static int expected(StreamKernel kernel, int word) {
    int perUnit = kernel.unitBytes() / Integer.BYTES;
    return switch (kernel.task()) {
      case COPY -> Bench.inputWord(word);
      case WRITE -> word / perUnit;
      case READ -> {
        int threads = kernel.threads();
        int first = word / threads * threads * kernel.unitsPerThread() + word % threads;
        int sum = 0;
        for (int unit = 0; unit < kernel.unitsPerThread(); unit++) {
          for (int i = 0; i < perUnit; i++) {
            sum += Bench.inputWord((first + unit * threads) * perUnit + i);
          }
        }
        yield sum;
      }
    };
  }
}
