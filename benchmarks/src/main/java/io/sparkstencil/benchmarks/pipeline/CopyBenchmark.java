/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
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
  @Option(names = "--threads", split = ",", defaultValue = "16,32", description = "At once.")
  private List<Integer> threads;

  @Option(names = "--gpus", split = ",", defaultValue = "1,2", description = "Used in turns.")
  private List<Integer> gpus;

  @Option(names = "--seconds", defaultValue = "0.5", description = "Of each measurement.")
  private double seconds;

  @Option(names = "--repeats", defaultValue = "3", description = "Measurements, after one more.")
  private int repeats;

  /** Creates the benchmark. */
  public CopyBenchmark() {
    super("copies");
  }

  @Override
  protected List<BenchmarkRow> measure() throws Exception {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (int thread : threads) {
      for (int gpu : gpus) {
        rows.addAll(measure(thread, gpu));
      }
    }
    return rows;
  }

  private List<BenchmarkRow> measure(int threadCount, int gpuCount) throws Exception {
    Map<CopyPart, List<Double>> rates = new EnumMap<>(CopyPart.class);
    try (CloseScope scope = new CloseScope()) {
      List<PrimaryContext> contexts = new ArrayList<>();
      for (int gpu = 0; gpu < gpuCount; gpu++) {
        contexts.add(scope.add(CudaDriver.get().open(gpu)));
      }
      for (int turn = 0; turn <= repeats; turn++) {
        for (CopyPart part : CopyPart.values()) {
          double rate = rate(part, contexts, threadCount);
          if (turn > 0) {
            rates.computeIfAbsent(part, each -> new ArrayList<>()).add(rate);
          }
        }
      }
    }
    double whole = Quantiles.median(rates.get(CopyPart.ALL));
    List<BenchmarkRow> rows = new ArrayList<>();
    rates.forEach(
        (part, measured) ->
            rows.add(
                BenchmarkRow.of(
                    "copies/f32/threads=%d/gpus=%d".formatted(threadCount, gpuCount),
                    part.label(),
                    CopyPart.ALL.label(),
                    measured,
                    "G cells/s",
                    Quantiles.median(measured) / whole,
                    false,
                    "a cell is 4 bytes each way; batches of 2 MiB, two slots a thread")));
    return rows;
  }

  /** Returns the billions of cells per second that all threads together move. */
  private double rate(CopyPart part, List<PrimaryContext> contexts, int threadCount)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threadCount);
    try {
      CyclicBarrier start = new CyclicBarrier(threadCount);
      List<Future<Double>> all = new ArrayList<>();
      for (int thread = 0; thread < threadCount; thread++) {
        PrimaryContext context = contexts.get(thread % contexts.size());
        all.add(
            pool.submit(
                () -> {
                  try (CopyThread copies = new CopyThread(part, context, threadCount)) {
                    start.await();
                    return copies.rate(seconds);
                  }
                }));
      }
      double sum = 0;
      for (Future<Double> each : all) {
        sum += each.get();
      }
      return sum;
    } finally {
      pool.shutdownNow();
    }
  }
}
