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

  /** A count without nulls: every whole frame has the same, and no cell is read. */
  private static GeneratedKernel constant(KernelVariant variant) {
    KernelFrame frame = new KernelFrame(variant);
    List<Register> values = new ArrayList<>();
    for (int i = 0; i < variant.how().cellsPerThread(); i++) {
      Literal count = frame.math.literal(variant.what().width());
      values.add(frame.k.make(frame.math.registers(), frame.math.move(), count));
    }
    new OutputStore(frame, null).write(values, null);
    return frame.finish();
  }

  /** Every tap is a global load; what neighbours share is left to the L1 cache. */
  private static GeneratedKernel direct(KernelVariant variant) {
    KernelFrame frame = new KernelFrame(variant);
    OutputStore store = new OutputStore(frame, null);
    Weighting weights = new Weighting(frame, 0);
    int cells = frame.how.outputsPerBlock() + frame.what.width() - 1 + frame.skew;
    Register inside = frame.areStaged(frame.firstCell, cells + frame.unit - 1);
    Literal perThread = Literal.of(frame.how.cellsPerThread());
    Register own = frame.k.b32("mad.lo.u32", frame.thread, perThread, frame.firstCell);
    Symbol careful = frame.k.label("careful");
    frame.k.putUnless(inside, "bra", careful);
    for (boolean checking : new boolean[] {false, true}) {
      GlobalWindow window = new GlobalWindow(frame, own, checking);
      List<Cell> sums = SequentialForm.write(frame, window, weights);
      store.write(frame.math.finish(sums), frame.math.validity(sums));
      if (!checking) {
        frame.k.put("ret");
        frame.k.place(careful);
      }
    }
    return frame.finish();
  }
}
