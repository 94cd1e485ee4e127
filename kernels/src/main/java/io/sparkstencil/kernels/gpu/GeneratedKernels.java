/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.edge.EdgeKernel;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.codegen.move.PieceKernel;
import io.sparkstencil.kernels.codegen.move.ValidityKernel;
import io.sparkstencil.kernels.codegen.sort.SortTask;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.tuning.MatrixTrial;
import io.sparkstencil.kernels.tuning.ProfileStore;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.kernels.variant.ClassicKernel;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleRules;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.TunedShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Kernels from the generators, by schedules that were measured here or else selected. */
final class GeneratedKernels implements KernelSource {
  private final DeviceTraits device;
  private final Optional<TuningStore> measured;

  GeneratedKernels(CudaDevice traits, Map<String, String> options) {
    this(traits, selectorTraits(traits, profile(traits, options)), options);
  }

  GeneratedKernels(CudaDevice traits, DeviceTraits device, Map<String, String> options) {
    this.device = device;
    this.measured = GpuOptions.tuningFolder(options).map(folder -> new TuningStore(folder, traits));
  }

  /**
   * Returns what the selector needs to know of a device, whose tensor cores are tried out. Where
   * they have other bits than is promised or could not be tried, they are not used, and a line of
   * the log says why.
   */
  static DeviceTraits tried(PrimaryContext context, DeviceProfile profile) {
    return MatrixTrial.tried(context, selectorTraits(context.traits(), profile));
  }

  /** Returns what the selector needs to know of a device; tensor cores are taken to be right. */
  static DeviceTraits selectorTraits(CudaDevice traits, DeviceProfile profile) {
    return new DeviceTraits(traits.capability(), traits.sharedBytesPerBlock(), profile);
  }

  /** Returns the profile that the folder of measurements holds, else the built-in one. */
  static DeviceProfile profile(CudaDevice traits, Map<String, String> options) {
    return GpuOptions.tuningFolder(options)
        .flatMap(folder -> new ProfileStore(folder, traits).profile())
        .orElse(DeviceProfile.BUILT_IN);
  }

  @Override
  public List<KernelVariant> candidates(FlatStencil what) {
    List<KernelSchedule> schedules = new ArrayList<>();
    measured.flatMap(store -> store.find(TunedShape.of(what))).ifPresent(schedules::add);
    schedules.add(ScheduleSelector.select(device, what));
    // Should a driver's compiler refuse both, the plainest code is the likeliest to pass.
    schedules.add(ClassicKernel.SHARED_MEMORY.schedule(what));
    schedules.removeIf(
        how ->
            ScheduleRules.reasonAgainst(what, how)
                .or(() -> ScheduleRules.reasonAgainst(device, what, how))
                .isPresent());
    return schedules.stream().distinct().map(how -> new KernelVariant(what, how)).toList();
  }

  @Override
  public GeneratedKernel generate(KernelKey key) {
    if (key instanceof KernelVariant variant) {
      return KernelGenerator.generate(variant);
    }
    if (key instanceof EdgeVariant variant) {
      return EdgeKernel.generate(variant);
    }
    if (key instanceof PieceKernel.Task task) {
      return PieceKernel.generate(task);
    }
    if (key instanceof SortTask task) {
      return task.generate();
    }
    return ValidityKernel.generate((ValidityKernel.Task) key);
  }
}
