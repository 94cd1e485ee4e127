/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.testkit.programs.LentFace;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;

/** What executors push, and how they are kept from it. */
public final class Pushes {
  private static final AtomicBoolean CUTTING = new AtomicBoolean();

  private Pushes() {}

  /** Does something in each executor; returns what it says, by executors. */
  private static Map<String, String> inEach(
      JavaSparkContext spark, int executors, Function<Integer, String> work) {
    Map<String, String> said = new TreeMap<>();
    while (said.size() < executors) {
      spark
          .parallelize(IntStream.range(0, 4 * executors).boxed().toList(), 4 * executors)
          .map(
              each -> {
                Thread.sleep(10); // so that no executor does it all
                return new String[] {SparkEnv.get().executorId(), work.call(each)};
              })
          .collect()
          .forEach(each -> said.put(each[0], each[1]));
    }
    return said;
  }

  /** Returns what executors hold that is of no use without blocks of grids. */
  public static Map<String, String> left(JavaSparkContext spark, int executors) {
    return inEach(
        spark,
        executors,
        each -> {
          FacePusher pusher = FacePusher.of(ExecutorRuntime.current());
          return "%d runs, %d bytes".formatted(pusher.countRuns(), pusher.room().used());
        });
  }

  /** Returns how much of the memory is lent that an engine of tests lends for faces. */
  public static Map<String, String> lent(JavaSparkContext spark, int executors) {
    return inEach(
        spark, executors, each -> "%d of %d".formatted(LentFace.countLent(), LentFace.countAll()));
  }

  /**
   * Returns what executors find under a name after one has kept bytes there, another has kept
   * others in their place, and the first has been told of that.
   */
  public static List<String> replaced(JavaSparkContext spark, List<String> executors)
      throws InterruptedException {
    int id = BlockBytes.newId(spark.sc());
    inEach(spark, 2, each -> isIn(executors.get(0)) ? put(id, "of one that ends", false) : "");
    inEach(spark, 2, each -> isIn(executors.get(1)) ? put(id, "of the next one", true) : "");
    List<String> found = List.of();
    for (int tries = 0; tries < 50 && found.stream().distinct().count() != 1; tries++) {
      Thread.sleep(100); // copies are removed in the background
      found = List.copyOf(inEach(spark, 2, each -> find(id)).values());
    }
    BlockBytes.remove(spark.sc(), id);
    return found;
  }

  private static boolean isIn(String executor) {
    return SparkEnv.get().executorId().equals(executor);
  }

  private static String put(int id, String text, boolean replaces) {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
    if (replaces) {
      BlockBytes.replace(id, 0, bytes);
    } else {
      BlockBytes.put(id, 0, bytes, false);
    }
    return "";
  }

  private static String find(int id) {
    return BlockBytes.local(id, 0)
        .or(() -> BlockBytes.remote(id, 0))
        .map(bytes -> UTF_8.decode(bytes).toString())
        .orElse("nothing");
  }

  /** Has all connections between executors be cut again and again. */
  public static void cutFor(JavaSparkContext spark, int executors, long millis) {
    inEach(
        spark,
        executors,
        each -> {
          if (CUTTING.compareAndSet(false, true)) {
            Thread cutter = new Thread(() -> cut(System.nanoTime() + 1_000_000 * millis));
            cutter.setDaemon(true);
            cutter.start();
          }
          return "";
        });
  }

  private static void cut(long end) {
    while (System.nanoTime() < end) {
      FacePusher.of(ExecutorRuntime.current()).cut();
      LockSupport.parkNanos(10_000_000);
    }
    CUTTING.set(false);
  }
}
