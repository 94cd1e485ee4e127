/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
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
      case SHARED_MEMORY, SHARED_MEMORY_ASYNC, SHARED_MEMORY_BULK -> sharedTile(variant);
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
    TileFill fill = new TileFill(frame, tile);
    fill.write(frame.firstCell);
    tile.locateOwn();
    fill.await();
    List<Cell> sums =
        variant.how().form() == ReductionForm.SHARED_CORE
            ? new SharedCoreForm(frame, tile).write()
            : SequentialForm.write(
                frame, new TileWindow(frame, tile, 0, frame.skew), new Weighting(frame, 0));
    store.write(frame.math.finish(sums), frame.math.validity(sums));
    return frame.finish();
  }
}
