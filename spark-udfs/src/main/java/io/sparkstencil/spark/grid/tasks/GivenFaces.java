/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.AwaitedFailure;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.tasks.BlockTally.Put;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * The faces of a block that are shared with other processes of the host: where these find them, and
 * which of them are still on their way to the log. Used by one thread, and by that which forgets
 * it.
 */
final class GivenFaces {
  private final Map<Integer, Target> targets = new HashMap<>();

  private static final class Target {
    private final SharedFace face;
    private final Put ticket;
    private final List<Future<List<Put>>> logging = new ArrayList<>(); // by slot; null for none

    Target(SharedFace face, Put ticket) {
      this.face = face;
      this.ticket = ticket;
      for (int slot = 0; slot < SharedFace.SLOTS; slot++) {
        logging.add(null);
      }
    }
  }

  /**
   * Shares a face, and has it put into the log meanwhile.
   *
   * @param ticket where its ticket is put, the first time
   * @param log puts the bytes of the face
   * @param threads do so
   */
  synchronized void share(
      int target,
      SharedFace face,
      int state,
      Put ticket,
      LogWriter log,
      Executor threads,
      BlockTally tally)
      throws InterruptedException {
    Target known = targets.get(target);
    if (known == null || known.face != face) {
      known = new Target(face, ticket);
      targets.put(target, known);
      BlockBytes.removeHere(ticket.id(), ticket.index()); // of cells that were here before
      BlockBytes.put(ticket.id(), ticket.index(), ByteBuffer.wrap(face.ticket()), false);
    }
    int slot = Math.floorMod(state, SharedFace.SLOTS);
    settle(known, slot, tally); // its memory is used again
    face.put(state);
    FutureTask<List<Put>> logging =
        new FutureTask<>((Callable<List<Put>>) () -> log.put(face.get(state)));
    threads.execute(logging);
    known.logging.set(slot, logging);
  }

  /** Puts the bytes of a face into the log. */
  @FunctionalInterface
  interface LogWriter {
    /** Returns what was put. */
    List<Put> put(ByteBuffer face);
  }

  /** Waits until all faces are in the log. */
  synchronized void settle(BlockTally tally) throws InterruptedException {
    for (Target each : targets.values()) {
      for (int slot = 0; slot < SharedFace.SLOTS; slot++) {
        settle(each, slot, tally);
      }
    }
  }

  private static void settle(Target target, int slot, BlockTally tally)
      throws InterruptedException {
    Future<List<Put>> logging = target.logging.get(slot);
    if (logging == null) {
      return;
    }
    target.logging.set(slot, null);
    try {
      logging.get().forEach(tally::put);
    } catch (ExecutionException e) {
      throw AwaitedFailure.of(e);
    }
  }

  /** Ends all that is on its way, whatever becomes of it, and shares nothing any more. */
  synchronized void forget(BlockTally tally) {
    boolean interrupted = false;
    for (Target each : targets.values()) {
      for (Future<List<Put>> logging : each.logging) {
        while (logging != null && !logging.isDone()) {
          try {
            Thread.sleep(1); // such copies end by themselves
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
      for (int slot = 0; slot < SharedFace.SLOTS; slot++) {
        try {
          settle(each, slot, tally);
        } catch (RuntimeException | Error | InterruptedException e) {
          System.getLogger(GivenFaces.class.getName())
              .log(System.Logger.Level.DEBUG, "a face is not in the log: {0}", e.getMessage());
        }
      }
      BlockBytes.removeHere(each.ticket.id(), each.ticket.index());
    }
    targets.clear();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
