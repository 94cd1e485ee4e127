/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.ScheduleTuning;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.tuning.TunedSchedule;
import io.sparkstencil.kernels.tuning.Tuner;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.kernels.variant.TunedShape;
import io.sparkstencil.model.StencilSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Measures schedules on the GPU at hand and keeps the fastest in a folder, where engines with that
 * {@code spark.stencil.gpu.tuningFolder} find it. Owns an engine and the memory to measure in.
 */
final class ScheduleSearch implements ScheduleTuning {
  /** How much faster a schedule must be than the built-in choice: less is noise. */
  private static final double LEAST_GAIN = 0.01;

  private final GpuEngine engine;
  private final DeviceTraits device;
  private final TuningStore store;
  private final Tuner tuner;

  /** Measures on {@code engine}, which is closed with the search. */
  ScheduleSearch(GpuEngine engine, Path folder, Request request) {
    PrimaryContext context = engine.context();
    this.engine = engine;
    this.device = engine.device();
    try {
      this.store = new TuningStore(folder, context.traits());
      this.tuner =
          new Tuner(context, request.cells(), Long.BYTES, request.widestFrame(), request.samples());
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  @Override
  public String description() {
    return engine.description();
  }

  @Override
  public Path file() {
    return store.file();
  }

  @Override
  public FoundSchedule tune(StencilSpec spec) {
    FlatStencil what = FlatStencil.of(spec, 0, false);
    KernelSchedule selected = ScheduleSelector.select(device, what);
    List<TunedSchedule> measured = tuner.search(what, candidates(device, what));
    TunedSchedule kept = keep(what, selected, measured);
    store.save(TunedShape.of(what), kept);
    OptionalDouble selectedMillis =
        measured.stream()
            .filter(each -> each.schedule().equals(selected))
            .mapToDouble(TunedSchedule::millis)
            .findFirst();
    return new FoundSchedule(
        kept.schedule().label(), kept.millis(), selectedMillis, measured.size());
  }

  /** Returns the fastest, but the built-in choice where the gain is in the noise. */
  static TunedSchedule keep(
      FlatStencil what, KernelSchedule selected, List<TunedSchedule> fastestFirst) {
    if (fastestFirst.isEmpty()) {
      throw new StencilException(
          ErrorCode.KERNEL_COMPILATION,
          "no schedule of %s compiles on this GPU; update its driver".formatted(what.label()));
    }
    TunedSchedule fastest = fastestFirst.get(0);
    return fastestFirst.stream()
        .filter(each -> each.schedule().equals(selected))
        .filter(each -> fastest.millis() > each.millis() * (1 - LEAST_GAIN))
        .findFirst()
        .orElse(fastest);
  }

  /**
   * Returns what is tried, the built-in choice first. Windows of the second-level cache are left
   * out: launches over the same inputs again find cells there that a batch, read once, never does.
   */
  static List<KernelSchedule> candidates(DeviceTraits device, FlatStencil what) {
    return SearchSpace.candidates(device, what).stream()
        .filter(how -> how.persistingMebibytes() == 0)
        .toList();
  }

  @Override
  public void close() {
    tuner.close();
    engine.close();
  }
}
