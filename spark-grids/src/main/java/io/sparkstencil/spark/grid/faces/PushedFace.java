/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.faces.PushedFaces.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/** A face that is given: pushed, and logged meanwhile. */
final class PushedFace {
  final Given given;
  final FaceBytes bytes;
  final FutureTask<Void> log;
  private final List<FaceLog.Put> puts = new ArrayList<>();
  CompletableFuture<Boolean> pushed = CompletableFuture.completedFuture(false);
  CompletableFuture<Void> told = CompletableFuture.completedFuture(null);
  volatile boolean needless;
  boolean isPut; // into the block manager, as it is kept nowhere else
  private boolean isHere;
  private final AtomicBoolean dropped = new AtomicBoolean();

  PushedFace(Given given, FaceBytes bytes) {
    this.given = given;
    this.bytes = bytes;
    log = new FutureTask<>(() -> put(false), null);
  }

  /** Puts it into the log, and tells the driver if somebody is to find it. */
  synchronized void put(boolean tells) {
    if (needless || !BlockBytes.isRunning()) {
      return;
    }
    if (!bytes.retain()) { // what the log has got is all that there is
      if (tells) {
        FaceLog.tell(given.id(), given.first(), bytes.length());
      }
      return;
    }
    try {
      List<FaceLog.Put> now = FaceLog.put(given.id(), given.first(), bytes.view(), false, tells);
      isHere = true;
      puts.addAll(now);
      if (needless) { // whoever was to remove it may have been too early
        now.forEach(each -> BlockBytes.removeHere(each.id(), each.index()));
      }
    } finally {
      bytes.release();
    }
  }

  /** Gives the memory back as soon as nobody sends or logs it; waits for nobody. */
  void drop() {
    if (!dropped.getAndSet(true)) {
      bytes.release();
    }
  }

  synchronized List<FaceLog.Put> takePuts() {
    List<FaceLog.Put> all = List.copyOf(puts);
    puts.clear();
    return all;
  }

  synchronized boolean isHere() {
    return isHere;
  }
}
