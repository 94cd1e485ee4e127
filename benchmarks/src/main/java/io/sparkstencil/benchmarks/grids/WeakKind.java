/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.grid.ExchangeCost.Exchange;
import java.util.List;

/**
 * Which processes have which GPUs, and what becomes of the log of faces.
 *
 * @param subject the name of the row
 * @param gpus those of all processes
 * @param executors the processes
 * @param shares whether they read each other's memory
 * @param log what becomes of the log of faces
 */
record WeakKind(String subject, int gpus, int executors, boolean shares, Log log) {
  static final WeakKind ONE = new WeakKind("1 GPU", 1, 1, true, Log.USUAL);

  /** What becomes of the log of faces. */
  enum Log {
    /** Faces are kept on the GPUs. */
    USUAL,
    /** So they are, and a checkpoint every thousand steps empties it. */
    CHECKPOINTS,
    /** It has no room, and is given up. */
    GIVEN_UP
  }

  /** Returns all kinds for some GPUs of a host. */
  static List<WeakKind> of(int gpus) {
    String executors = gpus + " executors, one GPU each, ";
    return List.of(
        ONE,
        new WeakKind(gpus + " GPUs, one executor", gpus, 1, true, Log.USUAL),
        new WeakKind(executors + "IPC", gpus, gpus, true, Log.USUAL),
        new WeakKind(
            executors + "IPC, a checkpoint every 1000 steps", gpus, gpus, true, Log.CHECKPOINTS),
        new WeakKind(executors + "IPC, the log given up", gpus, gpus, true, Log.GIVEN_UP),
        new WeakKind(executors + "IPC off", gpus, gpus, false, Log.USUAL));
  }

  Exchange exchange() {
    return executors == 1
        ? WeakProjection.together(gpus)
        : shares ? Exchange.SHARED : Exchange.OF_GPUS_BY_LOG;
  }

  /** Returns the way by which faces must come from the other GPU; empty if there is none. */
  String way() {
    return gpus == 1 ? "" : executors == 1 ? "peer" : shares ? "shared" : "log";
  }
}
