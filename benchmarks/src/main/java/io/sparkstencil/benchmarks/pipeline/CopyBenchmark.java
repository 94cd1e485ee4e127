/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The copies of the pipeline without its kernels: arrays to pinned memory, over the link to one or
 * two GPUs and back, and into arrays again; each part alone and all together. The slowest part
 * bounds every stencil over arrays.
 */
@Command(name = "copies", description = "The pipeline's copies without kernels, part by part.")
public final class CopyBenchmark extends BenchmarkCommand {
  private static final int LINK_THREADS = 4;
  private static final double LINK_SECONDS = 2;

  @Option(names = "--threads", split = ",", defaultValue = "16,32", description = "At once.")
  private List<Integer> threads;

  @Option(names = "--gpus", split = ",", defaultValue = "1,2", description = "Used in turns.")
  private List<Integer> gpus;

  @Option(names = "--seconds", defaultValue = "0.5", description = "Of each measurement.")
  private double seconds;

  @Option(names = "--repeats", defaultValue = "3", description = "Measurements, after one more.")
  private int repeats;

  @Override
  protected void measure() {
    for (int threadCount : threads) {
      for (int gpuCount : gpus) {
        measure(threadCount, gpuCount);
      }
    }
  }

  private void measure(int threadCount, int gpuCount) {
    Map<CopyPart, List<Double>> rates =
        Turns.measure(
            List.of(CopyPart.values()),
            1,
            part -> repeats,
            part -> rate(part, gpuCount, threadCount, seconds));
    double whole = Quantiles.median(rates.get(CopyPart.ALL));
    rates.forEach(
        (part, measured) ->
            add(
                BenchmarkRow.of(
                    "copies/f32/threads=%d/gpus=%d".formatted(threadCount, gpuCount),
                    part.label,
                    CopyPart.ALL.label,
                    measured,
                    "G cells/s",
                    Quantiles.median(measured) / whole,
                    false,
                    "a cell is 4 bytes each way; batches of 2 MiB, two slots a thread")));
  }

  /** Returns the bytes per second that the first GPU's link carries each way, both ways busy. */
  public static double linkBytesPerSecond() {
    return 1e9 * Float.BYTES * rate(CopyPart.LINK, 1, LINK_THREADS, LINK_SECONDS);
  }

  /** Returns the billions of cells per second that all threads together move. */
  private static double rate(CopyPart part, int gpuCount, int threadCount, double seconds) {
    ExecutorService pool = Executors.newFixedThreadPool(threadCount);
    try (CloseScope scope = new CloseScope()) {
      List<PrimaryContext> contexts = new ArrayList<>();
      for (int gpu = 0; gpu < gpuCount; gpu++) {
        contexts.add(scope.add(CudaDriver.get().open(gpu)));
      }
      CyclicBarrier start = new CyclicBarrier(threadCount);
      List<Callable<Double>> all = new ArrayList<>();
      for (int thread = 0; thread < threadCount; thread++) {
        PrimaryContext context = contexts.get(thread % gpuCount);
        all.add(
            () -> {
              try (CopyThread copies = new CopyThread(part, context, threadCount)) {
                start.await();
                return copies.rate(seconds);
              }
            });
      }
      double sum = 0;
      for (Future<Double> each : pool.invokeAll(all)) {
        sum += each.get();
      }
      return sum;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("copies of %s failed".formatted(part), e);
    } finally {
      pool.shutdownNow();
    }
  }
}
