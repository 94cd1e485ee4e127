/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ReductionForm;
import io.sparkstencil.kernels.variant.ScheduleRules;
import io.sparkstencil.model.Reduction;
import java.util.List;

/** Turns a variant into PTX. Pure: equal variants give equal texts. */
public final class KernelGenerator {
  private KernelGenerator() {}

  /**
   * Returns the kernel of a variant.
   *
   * @throws IllegalArgumentException if the schedule cannot do what the stencil asks for
   */
  public static GeneratedKernel generate(KernelVariant variant) {
    requireNonNull(variant, "variant is null");
    ScheduleRules.reasonAgainst(variant.what(), variant.how())
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(
                  "%s cannot be generated: %s".formatted(variant.entryName(), reason));
            });
    if (variant.what().reduction() == Reduction.COUNT && !variant.what().nullable()) {
      return ConstantKernel.generate(variant);
    }
    return switch (variant.how().staging()) {
      case DIRECT -> DirectKernel.generate(variant);
      case REGISTER_CACHE_ROUND_ROBIN -> RoundRobinRegisterKernel.generate(variant);
      case REGISTER_CACHE_BLOCKED -> BlockedRegisterKernel.generate(variant);
      case SHARED_MEMORY, SHARED_MEMORY_ASYNC -> sharedTile(variant);
    };
  }

  private static GeneratedKernel sharedTile(KernelVariant variant) {
    KernelFrame frame = new KernelFrame(variant);
    if (variant.how().form() == ReductionForm.SEQUENTIAL_LOOP) {
      new LoopForm(frame).write();
      return frame.finish();
    }
    if (variant.how().form() == ReductionForm.BLOCK_CORE) {
      new BlockCoreForm(frame).write();
      return frame.finish();
    }
    int needed = variant.how().outputsPerBlock() + variant.what().width() - 1 + frame.skew;
    int cells = (needed + frame.unit - 1) / frame.unit * frame.unit;
    SharedTile tile =
        new SharedTile(frame, new TileShape(frame.unit, variant.how().cellsPerThread(), cells));
    OutputStore store = new OutputStore(frame, null);
    new TileFill(frame, tile).write(frame.firstCell);
    tile.locateOwn();
    frame.k.put("bar.sync", Literal.of(0));
    List<Cell> sums =
        variant.how().form() == ReductionForm.SHARED_CORE
            ? new SharedCoreForm(frame, tile).write()
            : SequentialForm.write(
                frame, new TileWindow(frame, tile, 0, frame.skew), new Weighting(frame, 0, 0));
    writeOutputs(frame, store, sums);
    return frame.finish();
  }

  private static void writeOutputs(KernelFrame frame, OutputStore store, List<Cell> sums) {
    List<Register> validity =
        frame.math.counts() ? sums.stream().map(frame.math::validity).toList() : null;
    store.write(frame.math.finish(sums), validity);
  }
}
