/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PrimaryContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The streams of a device, which its lanes share: a copy engine that serves few streams copies more
 * than one that serves many. Safe for many threads.
 */
final class DeviceStreams implements AutoCloseable {
  /**
   * A stream and the number of lanes that use it. A lane holds its lock while it submits a batch.
   */
  static final class Shared {
    final CudaStream stream;
    private int lanes;

    private Shared(CudaStream stream) {
      this.stream = stream;
    }
  }

  private final PrimaryContext context;
  private final int most;
  private final List<Shared> streams = new ArrayList<>();

  /** Creates an empty set that grows up to {@code most} streams. */
  DeviceStreams(PrimaryContext context, int most) {
    this.context = context;
    this.most = most;
  }

  /** Returns a stream for a lane: one that nobody uses, else a new one, else the least used. */
  synchronized Shared take() {
    Shared least = null;
    for (Shared each : streams) {
      if (least == null || each.lanes < least.lanes) {
        least = each;
      }
    }
    if (least == null || (least.lanes > 0 && streams.size() < most)) {
      least = new Shared(context.newStream());
      streams.add(least);
    }
    least.lanes++;
    return least;
  }

  /** Takes a lane's stream back. */
  synchronized void giveBack(Shared stream) {
    stream.lanes--;
  }

  @Override
  public synchronized void close() {
    streams.forEach(each -> each.stream.close());
    streams.clear();
  }
}
