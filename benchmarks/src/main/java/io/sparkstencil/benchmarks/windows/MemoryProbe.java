/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.benchmarks.harness.ProcessMemory;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/**
 * One moving mean in a process of its own, whose memory is watched: what {@link MemoryBenchmark}
 * starts with a small heap. Writes its {@link Figures} as the last line of the standard output.
 */
public final class MemoryProbe implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MILLIS_BETWEEN_SAMPLES = 200;

  @Parameters(description = "stencil or spark")
  private String subject;

  @Parameters(description = "ordered or shuffled")
  private String input;

  @Parameters private Path folder;
  @Parameters private long rows;
  @Parameters private int radius;

  private MemoryProbe() {}

  /**
   * What was seen.
   *
   * @param liveHeapBytes the most heap in use right after a collection
   * @param residentBytes the most memory that the process has had from the system
   * @param directBytes the most in direct buffers of the JVM
   * @param executionBytes the most that one of Spark's tasks held for sorting and copies of rows
   * @param spilledBytes what tasks wrote to disk for want of memory
   * @param samples how many times the heap was looked at
   * @param digest of the result
   */
  record Figures(
      long liveHeapBytes,
      long residentBytes,
      long directBytes,
      long executionBytes,
      long spilledBytes,
      int samples,
      long digest) {}

  /** Runs, watches, writes. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new MemoryProbe()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    try (SparkSession spark = WindowData.session("memory-probe")) {
      WindowData data = MemoryBenchmark.data(spark, folder, rows);
      TaskMemory tasks = new TaskMemory();
      spark.sparkContext().addSparkListener(tasks);
      Watch watch = new Watch();
      Thread watching = new Thread(watch, "memory-watch");
      watching.setDaemon(true);
      watching.start();
      Dataset<Row> query =
          subject.equals("spark") ? data.sparks(input, radius) : data.ours(input, radius);
      long digest = WindowData.digest(query);
      watch.stopped = true;
      watching.join();
      spark.sparkContext().listenerBus().waitUntilEmpty(30_000);
      Figures figures =
          new Figures(
              watch.liveHeapBytes,
              ProcessMemory.bytes("VmHWM"),
              watch.directBytes,
              tasks.execution.get(),
              tasks.spilled.get(),
              watch.samples,
              digest);
      System.out.println(JSON.writeValueAsString(figures));
    }
    return 0;
  }

  /** Collects garbage again and again and notes what is left. */
  private static final class Watch implements Runnable {
    private volatile boolean stopped;
    private long liveHeapBytes;
    private long directBytes;
    private int samples;

    @Override
    public void run() {
      while (!stopped) {
        System.gc();
        liveHeapBytes = Math.max(liveHeapBytes, leftByTheLastCollection());
        directBytes = Math.max(directBytes, directBuffers());
        samples++;
        try {
          Thread.sleep(MILLIS_BETWEEN_SAMPLES);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private static long directBuffers() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Returns what was in use on the heap when the last full collection ended. */
  private static long leftByTheLastCollection() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  /** What Spark's tasks report. */
  private static final class TaskMemory extends SparkListener {
    private final AtomicLong execution = new AtomicLong();
    private final AtomicLong spilled = new AtomicLong();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (end.taskMetrics() != null) {
        execution.accumulateAndGet(end.taskMetrics().peakOnHeapExecutionMemory(), Math::max);
        spilled.addAndGet(end.taskMetrics().diskBytesSpilled());
      }
    }
  }
}
