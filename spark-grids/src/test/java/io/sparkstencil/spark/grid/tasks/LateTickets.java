/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import io.sparkstencil.spark.grid.tasks.LateAnswers.Asking;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;

/** Tickets that one executor has and another looks for, as tasks of grids do. */
public final class LateTickets {
  private LateTickets() {}

  /** Has an executor keep a ticket; returns the number of its RDD. */
  public static int put(JavaSparkContext spark, String location, String ticket) {
    int id = BlockBytes.newId(spark.sc());
    in(
        spark,
        location,
        (context, partition, parent) -> {
          BlockBytes.replace(id, 0, ByteBuffer.wrap(ticket.getBytes(UTF_8)));
          return "";
        });
    return id;
  }

  /**
   * Has an executor look for a ticket until it is found; returns it behind the milliseconds of the
   * first look and of all of them.
   */
  public static List<String> look(JavaSparkContext spark, String location, int id) {
    String found =
        in(
            spark,
            location,
            (context, partition, parent) -> {
              long start = System.nanoTime();
              LateAnswers<byte[]> tickets = new LateAnswers<>();
              Optional<byte[]> ticket = look(tickets, id);
              long first = millisSince(start);
              while (ticket.isEmpty()) {
                ticket = look(tickets, id);
              }
              return "%d %d %s"
                  .formatted(first, millisSince(start), new String(ticket.get(), UTF_8));
            });
    return List.of(found.split(" "));
  }

  private static Optional<byte[]> look(LateAnswers<byte[]> tickets, int id) {
    ExecutorService threads = BlockRegistry.of(ExecutorRuntime.current()).fetchers();
    return tickets.look(0, Asking.ONCE, FaceTickets.question(new Put(id, 0)), threads);
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private static String in(
      JavaSparkContext spark, String location, PlacedRdd.PartitionTask<Integer, String> work) {
    return PlacedRdd.of(spark.parallelize(List.of(1), 1), List.of(location), work, String.class)
        .collect()
        .get(0);
  }
}
