/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;

/** Two streams of a device for one program at a time: one for most cells, one for the others. */
final class ProgramLane implements AutoCloseable {
  private final CloseScope owned = new CloseScope();
  private final boolean urgent;
  private final CudaStream main;
  private final CudaStream side;
  private final CudaEvent mainDone;
  private final CudaEvent sideDone;

  ProgramLane(PrimaryContext context, boolean urgent) {
    this.urgent = urgent;
    try {
      main = owned.add(urgent ? context.newUrgentStream() : context.newStream());
      side = owned.add(urgent ? context.newUrgentStream() : context.newStream());
      mainDone = owned.add(context.newMarker());
      sideDone = owned.add(context.newMarker());
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  /** Returns whether the kernels of the streams come before those of others. */
  boolean isUrgent() {
    return urgent;
  }

  /** Returns the stream for copies and most cells. */
  CudaStream main() {
    return main;
  }

  /** Returns the stream for what runs beside. */
  CudaStream side() {
    return side;
  }

  /** Lets the side begin after what has been submitted to the main stream. */
  void fork() {
    mainDone.record(main);
    side.waitFor(mainDone);
  }

  /** Lets the main stream go on after what has been submitted to the side. */
  void join() {
    sideDone.record(side);
    main.waitFor(sideDone);
  }

  @Override
  public void close() {
    owned.close();
  }
}
