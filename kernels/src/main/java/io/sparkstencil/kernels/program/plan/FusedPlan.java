/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * How a kernel of several steps and slabs cover fields: slabs compute the cells at the ends of the
 * axes along which the kernel does not hold the boundary. Those of the first axis take the corners.
 *
 * @param kernel what computes the inside
 * @param inside its cells along the axes of the program
 * @param slabs the cells of the slabs, stage by stage
 */
public record FusedPlan(FusedKernel kernel, Span inside, List<SlabGeometry> slabs) {
  /**
   * Lays slabs around the cells of a kernel.
   *
   * @param inside the cells that the kernel computes, along the axes of the program
   */
  public static FusedPlan of(Stages stages, FusedKernel kernel, Span inside) {
    return new FusedPlan(kernel, inside, slabs(stages, kernel.steps(), inside));
  }

  /** Returns the slabs around a box. */
  private static List<SlabGeometry> slabs(Stages stages, int steps, Span inside) {
    List<SlabGeometry> slabs = new ArrayList<>();
    List<Integer> low = new ArrayList<>(Stored.start());
    List<Integer> high = new ArrayList<>(stages.sizes());
    List<Integer> from = ArrayView.threeAxes(inside.low(), 0);
    List<Integer> to = ArrayView.threeAxes(inside.high(), 1);
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      add(stages, steps, low, with(high, axis, from.get(axis)), slabs);
      add(stages, steps, with(low, axis, to.get(axis)), high, slabs);
      low.set(axis, from.get(axis));
      high.set(axis, to.get(axis));
    }
    return slabs;
  }

  private static List<Integer> with(List<Integer> list, int axis, int value) {
    List<Integer> changed = new ArrayList<>(list);
    changed.set(axis, value);
    return changed;
  }

  private static void add(
      Stages stages, int steps, List<Integer> low, List<Integer> high, List<SlabGeometry> slabs) {
    Span target = new Span(List.copyOf(low), List.copyOf(high));
    if (SlabGeometry.cells(target) > 0) {
      slabs.add(stages.geometry(target, steps));
    }
  }

  /** Returns the number of steps. */
  public int steps() {
    return kernel.steps();
  }

  /** Returns the cells that slabs compute in all stages of all steps. */
  public long slabCells(int stages) {
    long cells = 0;
    for (SlabGeometry slab : slabs) {
      for (int step = 1; step <= steps(); step++) {
        for (int stage = 0; stage < stages; stage++) {
          cells += SlabGeometry.cells(slab.computed(step, stage));
        }
      }
    }
    return cells;
  }

  /** Returns the bytes of scratch memory that the slabs need. */
  public long scratchBytes(Stages stages) {
    long bytes = 0;
    for (SlabGeometry slab : slabs) {
      FieldLayout layout = FieldLayout.of(stages.type(), slab.window(false));
      bytes += 2L * stages.updated() * layout.bytes();
    }
    return bytes;
  }

  /** Returns the slabs with their arrays, those between steps from an address on. */
  public List<Slab> slabs(Stages stages, long scratch, List<Stored> from, List<Stored> to) {
    List<Slab> made = new ArrayList<>();
    long at = scratch;
    for (SlabGeometry slab : slabs) {
      FieldLayout layout = FieldLayout.of(stages.type(), slab.window(false));
      List<List<Stored>> versions = new ArrayList<>();
      for (int parity = 0; parity < 2; parity++) {
        List<Stored> version = new ArrayList<>();
        for (int field = 0; field < stages.updated(); field++) {
          version.add(layout.at(at));
          at += layout.bytes();
        }
        versions.add(version);
      }
      made.add(new Slab(stages, slab, steps(), from, null, versions, to));
    }
    return made;
  }
}
