/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.soak;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.ProcessMemory;
import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.spark.arrays.ArrayStencil;
import io.sparkstencil.testkit.Fault;
import io.sparkstencil.testkit.FaultPlan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Many small jobs in many applications of one process, over an engine that fails every tenth time,
 * each time in another way. Every result is compared; what is open and how much memory is in use is
 * looked at after each application, which ends with a lost device.
 */
final class Soak {
  private static final int SERIES = 64;
  private static final LoopWork MEAN = LoopWork.parse("mean/exact/f64/k=5");

  private static final List<Fault> KINDS =
      List.of(
          Fault.always(Fault.EngineCall.LEASE, Fault.Symptom.OUT_OF_MEMORY),
          Fault.always(Fault.EngineCall.SUBMIT, Fault.Symptom.OUT_OF_MEMORY),
          Fault.always(Fault.EngineCall.AWAIT, Fault.Symptom.OUT_OF_MEMORY),
          Fault.always(Fault.EngineCall.OPEN_LANE, Fault.Symptom.OUT_OF_MEMORY),
          Fault.always(Fault.EngineCall.COMPILE, Fault.Symptom.NOT_COMPILED),
          Fault.always(Fault.EngineCall.REASON, Fault.Symptom.REFUSED));

  /**
   * What is in use after an application or a grid has ended.
   *
   * @param heapBytes of Java objects, after a collection
   * @param processBytes of physical memory, pinned memory included
   * @param deviceBytes of the first GPU; 0 without one
   * @param diskBytes in Spark's local folders; 0 where Spark has ended
   * @param open engines, lanes, leases, blocks of grids, and handles of the driver
   */
  record Sample(long heapBytes, long processBytes, long deviceBytes, long diskBytes, int open) {}

  /**
   * What came of it.
   *
   * @param right jobs, or grids, with right results
   * @param faults calls that have failed as planned
   * @param seconds all of it
   * @param samples one for each application or grid
   */
  record SoakOutcome(int right, int faults, double seconds, List<Sample> samples) {}

  private final FaultPlan plan = FaultPlan.ofProcess();
  private final SplittableRandom random;
  private final String below;
  private final String master;
  private final int[] expected = new int[SERIES];

  /**
   * Prepares the run.
   *
   * @param below the engine that does the work
   * @param master Spark's
   */
  Soak(String below, String master, long seed) {
    this.below = below;
    this.master = master;
    this.random = new SplittableRandom(seed);
    for (int series = 0; series < SERIES; series++) {
      expected[series] = Arrays.hashCode((double[]) MEAN.tapByTap(cells(series)));
    }
  }

  private static double[] cells(int series) {
    return (double[]) MEAN.cells(2000 + 313 * series, series);
  }

  /** Runs {@code applications} of {@code jobs} jobs each; every tenth job meets a fault. */
  SoakOutcome run(int applications, int jobs) throws IOException {
    List<Sample> samples = new ArrayList<>();
    int right = 0;
    int faults = 0;
    long start = System.nanoTime();
    for (int application = 0; application < applications; application++) {
      plan.enable();
      plan.setBelow(below);
      try (JavaSparkContext spark = new JavaSparkContext(conf())) {
        spark.setLogLevel("OFF"); // of the faults
        for (int job = 1; job <= jobs; job++) {
          if (job == jobs) {
            plan.arm(Fault.EngineCall.AWAIT, Fault.Symptom.DEVICE_LOST);
          } else if (job % 10 == 0) {
            Fault fault = KINDS.get(random.nextInt(KINDS.size()));
            plan.arm(fault.call(), fault.kind());
          }
          run(spark, job);
          right++;
        }
      }
      faults += plan.struck();
      int open = plan.openEngines() + plan.openLanes() + plan.openLeases();
      plan.reset();
      samples.add(sample(open, 0));
    }
    return new SoakOutcome(right, faults, (System.nanoTime() - start) * 1e-9, samples);
  }

  private SparkConf conf() {
    return LocalSpark.conf("soak", master)
        .set("spark.plugins", "io.sparkstencil.spark.StencilPlugin")
        .set("spark.stencil.warmUp", "false");
  }

  private void run(JavaSparkContext spark, int job) {
    int partitions = 1 + random.nextInt(4);
    List<Integer> series = random.ints(8, 0, SERIES).boxed().toList();
    ArrayStencil<double[], double[]> stencil =
        ArrayStencil.ofDoubles(MEAN.spec().stencil()).withEngine("faulty");
    List<Integer> digests =
        stencil
            .apply(spark.parallelize(series, partitions).map(Soak::cells))
            .map(Arrays::hashCode)
            .collect();
    List<Integer> right = series.stream().map(each -> expected[each]).toList();
    if (!digests.equals(right)) {
      throw new IllegalStateException("job %d: %s instead of %s".formatted(job, digests, right));
    }
  }

  static Sample sample(int open, long diskBytes) throws IOException {
    MemoryUsage heap = null;
    for (int i = 0; i < 3; i++) {
      System.gc();
      heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    }
    CudaDriver driver = CudaDriver.get();
    int handles = driver.liveHandles().size();
    long device = 0;
    if (!driver.devices().isEmpty()) {
      try (PrimaryContext context = driver.open(driver.devices().get(0).ordinal())) {
        device = context.traits().memoryBytes() - context.freeBytes();
      }
    }
    return new Sample(
        heap.getUsed(), ProcessMemory.bytes("VmRSS"), device, diskBytes, open + handles);
  }
}
