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
import java.util.List;
import java.util.stream.Stream;

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
    WindowKernel kernel = new WindowKernel(variant);
    if (variant.what().reduction() == Reduction.COUNT && !variant.what().nullable()) {
      return constant(kernel);
    }
    return switch (variant.how().staging()) {
      case DIRECT -> direct(kernel);
      case REGISTER_CACHE_ROUND_ROBIN -> new RoundRobinRegisterKernel(kernel).write();
      case REGISTER_CACHE_BLOCKED -> new BlockedRegisterKernel(kernel).write();
      case SHARED_MEMORY, SHARED_MEMORY_ASYNC, SHARED_MEMORY_BULK ->
          switch (variant.how().form()) {
            case SEQUENTIAL_LOOP -> new LoopForm(kernel).write();
            case BLOCK_CORE -> new BlockCoreForm(kernel).write();
            case TENSOR_CORE, TENSOR_CORE_DEEP, TENSOR_CORE_EIGHT_ROWS ->
                new TensorCoreForm(kernel).write();
            case SEQUENTIAL, SHARED_CORE -> straightLine(kernel);
          };
    };
  }

  private static GeneratedKernel straightLine(WindowKernel k) {
    int needed = k.how.outputsPerBlock() + k.what.width() - 1 + k.skew;
    SharedTile tile = new SharedTile(k, (needed + k.unit - 1) / k.unit * k.unit);
    OutputStore store = new OutputStore(k, null);
    TileFill fill = new TileFill(k, tile);
    fill.write(k.firstCell);
    tile.locateOwn();
    fill.await();
    List<Cell> sums =
        k.how.form() == ReductionForm.SHARED_CORE
            ? new SharedCoreForm(k, tile).write()
            : k.reduceInOrder(tile.window(0, k.skew), new Weighting(k, 0));
    return k.finish(store, sums);
  }

  /** A count without nulls: every whole frame has the same, and no cell is read. */
  private static GeneratedKernel constant(WindowKernel k) {
    Literal count = k.math.literal(k.what.width());
    Stream<Register> values = Stream.generate(() -> k.math.constant(count));
    new OutputStore(k, null).write(values.limit(k.how.cellsPerThread()).toList(), null);
    return k.finish();
  }

  /** Every tap is a global load; what neighbours share is left to the L1 cache. */
  private static GeneratedKernel direct(WindowKernel k) {
    OutputStore store = new OutputStore(k, null);
    Weighting weights = new Weighting(k, 0);
    int cells = k.how.outputsPerBlock() + k.what.width() - 1 + k.skew;
    Register inside = k.areStaged(k.firstCell, cells + k.unit - 1);
    Register own = k.b32("mad.lo.u32", k.thread, k.how.cellsPerThread(), k.firstCell);
    Symbol careful = k.label("careful");
    k.putUnless(inside, "bra", careful);
    store.write(k.reduceInOrder(new GlobalWindow(k, own, false), weights));
    k.put("ret");
    k.place(careful);
    store.write(k.reduceInOrder(new GlobalWindow(k, own, true), weights));
    return k.finish();
  }
}
