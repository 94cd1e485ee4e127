/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ReductionForm;
import io.sparkstencil.kernels.variant.ScheduleRules;
import io.sparkstencil.model.Reduction;
import java.util.ArrayList;
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
      return constant(variant);
    }
    return switch (variant.how().staging()) {
      case DIRECT -> direct(variant);
      case REGISTER_CACHE_ROUND_ROBIN -> RoundRobinRegisterKernel.generate(variant);
      case REGISTER_CACHE_BLOCKED -> BlockedRegisterKernel.generate(variant);
      case SHARED_MEMORY, SHARED_MEMORY_ASYNC, SHARED_MEMORY_BULK -> sharedTile(variant);
    };
  }

  private static GeneratedKernel sharedTile(KernelVariant variant) {
    WindowKernel kernel = new WindowKernel(variant);
    if (variant.how().form() == ReductionForm.SEQUENTIAL_LOOP) {
      new LoopForm(kernel).write();
      return kernel.finish();
    }
    if (variant.how().form() == ReductionForm.BLOCK_CORE) {
      new BlockCoreForm(kernel).write();
      return kernel.finish();
    }
    int needed = variant.how().outputsPerBlock() + variant.what().width() - 1 + kernel.skew;
    int cells = (needed + kernel.unit - 1) / kernel.unit * kernel.unit;
    SharedTile tile =
        new SharedTile(kernel, new TileShape(kernel.unit, variant.how().cellsPerThread(), cells));
    OutputStore store = new OutputStore(kernel, null);
    TileFill fill = new TileFill(kernel, tile);
    fill.write(kernel.firstCell);
    tile.locateOwn();
    fill.await();
    List<Cell> sums =
        variant.how().form() == ReductionForm.SHARED_CORE
            ? new SharedCoreForm(kernel, tile).write()
            : SequentialForm.write(
                kernel, new TileWindow(kernel, tile, 0, kernel.skew), new Weighting(kernel, 0));
    store.write(kernel.math.finish(sums), kernel.math.validity(sums));
    return kernel.finish();
  }

  /** A count without nulls: every whole frame has the same, and no cell is read. */
  private static GeneratedKernel constant(KernelVariant variant) {
    WindowKernel kernel = new WindowKernel(variant);
    List<Register> values = new ArrayList<>();
    for (int i = 0; i < variant.how().cellsPerThread(); i++) {
      Literal count = kernel.math.literal(variant.what().width());
      values.add(kernel.k.make(kernel.math.registers(), kernel.math.move(), count));
    }
    new OutputStore(kernel, null).write(values, null);
    return kernel.finish();
  }

  /** Every tap is a global load; what neighbours share is left to the L1 cache. */
  private static GeneratedKernel direct(KernelVariant variant) {
    WindowKernel kernel = new WindowKernel(variant);
    OutputStore store = new OutputStore(kernel, null);
    Weighting weights = new Weighting(kernel, 0);
    int cells = kernel.how.outputsPerBlock() + kernel.what.width() - 1 + kernel.skew;
    Register inside = kernel.areStaged(kernel.firstCell, cells + kernel.unit - 1);
    Literal perThread = Literal.of(kernel.how.cellsPerThread());
    Register own = kernel.k.b32("mad.lo.u32", kernel.thread, perThread, kernel.firstCell);
    Symbol careful = kernel.k.label("careful");
    kernel.k.putUnless(inside, "bra", careful);
    for (boolean checking : new boolean[] {false, true}) {
      GlobalWindow window = new GlobalWindow(kernel, own, checking);
      List<Cell> sums = SequentialForm.write(kernel, window, weights);
      store.write(kernel.math.finish(sums), kernel.math.validity(sums));
      if (!checking) {
        kernel.k.put("ret");
        kernel.k.place(careful);
      }
    }
    return kernel.finish();
  }
}
