/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Searches the fastest schedule of a stencil on the device at hand by running candidates. */
public final class Tuner implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Tuner.class.getName());
  private static final int SETS = 2;
  private static final int LAUNCHES_PER_SAMPLE = 4;

  private final CloseScope owned = new CloseScope();
  private final KernelCache kernels;
  private final int cells;
  private final CudaStream stream;
  private final LaunchTimer timer;
  private final RotatingBuffers buffers;

  /**
   * Takes memory for two inputs and two outputs.
   *
   * @param context the device; outlives the tuner
   * @param cells outputs of one launch; the arrays should be several times the second-level cache
   * @param cellBytes bytes of the widest cell that will be tuned
   * @param widestFrame cells of the widest frame that will be tuned
   * @param samples timed samples per schedule, of which the median counts
   */
  public Tuner(PrimaryContext context, int cells, int cellBytes, int widestFrame, int samples) {
    this.cells = cells;
    try {
      this.stream = owned.add(context.newStream());
      this.kernels = owned.add(new KernelCache(context));
      this.timer = owned.add(new LaunchTimer(context, stream, samples, LAUNCHES_PER_SAMPLE));
      long bytes = ((long) cells + widestFrame) * cellBytes;
      this.buffers = owned.add(new RotatingBuffers(context, SETS, SETS, bytes));
      // Any cells do: no schedule branches on values, unless they are zero or tiny.
      buffers.fillInputs(stream, (byte) 0x3E);
      stream.synchronize();
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  /** Times every candidate; returns them with the fastest first. */
  public List<TunedSchedule> search(FlatStencil what, List<KernelSchedule> candidates) {
    List<TunedSchedule> measured = new ArrayList<>();
    for (KernelSchedule schedule : candidates) {
      try {
        measured.add(new TunedSchedule(schedule, cells, time(what, schedule).millis()));
      } catch (KernelCompilationException e) {
        LOG.log(System.Logger.Level.WARNING, "left out of the search: {0}", e.getMessage());
      }
    }
    measured.sort(Comparator.comparingDouble(TunedSchedule::millis));
    return measured;
  }

  /** Times one schedule. */
  public LaunchTimer.Timing time(FlatStencil what, KernelSchedule schedule) {
    KernelVariant variant = new KernelVariant(what, schedule);
    LaunchArguments arguments =
        new LaunchArguments()
            .set(KernelParameter.STAGED_CELLS, cells + what.width() - 1)
            .set(KernelParameter.POSITIONS, cells)
            .set(KernelParameter.SHIFT, 0);
    try (HeldKernels held = kernels.hold(key -> KernelGenerator.generate(variant))) {
      return timer.time(held.get(variant), cells, arguments, buffers);
    }
  }

  @Override
  public void close() {
    owned.close();
  }
}
