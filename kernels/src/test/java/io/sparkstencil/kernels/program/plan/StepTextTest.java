/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.codegen.program.StepJob;
import io.sparkstencil.kernels.codegen.program.StepKernel;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.testkit.programs.ProgramCase;
import io.sparkstencil.testkit.programs.RandomPrograms;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The text of kernels of single stages, run without a device, gives the bits of the reference. */
final class StepTextTest {
  private static final int CASES = 40;
  private static final int MEMORY = 1 << 24;
  private static final int BOUNDARIES = 4096;

  private final ByteBuffer memory = ByteBuffer.allocate(MEMORY).order(ByteOrder.nativeOrder());
  private final Random random = new Random(4);

  private ProgramCase next(RandomPrograms programs, int steps) {
    ProgramCase source = programs.nextCase();
    List<Integer> sizes = new ArrayList<>();
    int most = source.program().dimensions() == 1 ? 300 : 14;
    for (int axis = 0; axis < source.program().dimensions(); axis++) {
      sizes.add(1 + random.nextInt(most));
    }
    return new ProgramCase(
        source.program(), source.type(), new Extent(sizes), steps, source.kind(), source.seed());
  }

  @Test
  void stepsOfWholeFieldsHaveTheBitsOfTheReference() {
    RandomPrograms programs = new RandomPrograms(61);
    for (int i = 0; i < CASES; i++) {
      check(next(programs, 1), null);
    }
  }

  @Test
  void slabsHaveTheBitsOfTheReference() {
    RandomPrograms programs = new RandomPrograms(62);
    int done = 0;
    while (done < CASES / 2) {
      ProgramCase test = next(programs, 1 + random.nextInt(3));
      ProgramTraits traits = ProgramTraits.of(test.program());
      List<Integer> low = new ArrayList<>();
      List<Integer> high = new ArrayList<>();
      boolean canBeCut = true;
      for (int axis = 0; axis < test.extent().dimensions(); axis++) {
        canBeCut &= SlabGeometry.wraps(traits, axis) != SlabGeometry.Wrapping.SOME;
        int size = test.extent().size(axis);
        low.add(random.nextInt(size));
        high.add(low.get(axis) + 1 + random.nextInt(size - low.get(axis)));
      }
      if (canBeCut) {
        check(test, new Span(low, high));
        done++;
      }
    }
  }

  /**
   * Runs a case.
   *
   * @param inside the cells that slabs leave out, or null for a step of whole fields
   */
  private void check(ProgramCase test, Span inside) {
    List<Integer> sizes = test.extent().sizes();
    Stages stages = new Stages(ProgramTraits.of(test.program()), test.type(), sizes, Set.of());
    FieldLayout layout = FieldLayout.ofSizes(test.type(), sizes);
    ProgramArrays expected = test.arrays();
    ProgramReference.run(test.program(), expected, test.parameters(), test.steps());
    Arrays.fill(memory.array(), (byte) 0xFF);
    memory.position(BOUNDARIES);
    for (int entry : stages.boundaryTable()) {
      memory.putInt(entry);
    }
    long at = 1 << 20;
    List<Stored> from = new ArrayList<>();
    List<Stored> to = new ArrayList<>();
    for (Object cells : test.arrays().arrays()) {
      from.add(layout.at(at));
      to.add(layout.at(at + layout.bytes()));
      at += 2 * layout.bytes();
      for (int cell = 0; cell < test.extent().cells(); cell++) {
        put(address(layout, from.get(from.size() - 1), cell), test.type(), cells, cell);
      }
    }
    List<Slab> slabs =
        inside == null
            ? List.of(whole(stages, from, to))
            : FusedPlan.of(stages, new SlabTest.Inside(test.steps()), inside)
                .slabs(stages, at, from, to);
    run(test, stages, slabs);
    Span left =
        inside == null
            ? new Span(List.of(0, 0, 0), List.of(0, 0, 0))
            : new Span(ArrayView.threeAxes(inside.low(), 0), ArrayView.threeAxes(inside.high(), 1));
    for (int field = 0; field < stages.updated(); field++) {
      requireSame(test, layout, to.get(field), expected.arrays().get(field), left);
    }
  }

  private static Slab whole(Stages stages, List<Stored> from, List<Stored> to) {
    SlabGeometry geometry = stages.geometry(stages.all(), 1);
    return new Slab(stages, geometry, 1, from, null, List.of(), to);
  }

  private void run(ProgramCase test, Stages stages, List<Slab> slabs) {
    for (int step = 1; step <= test.steps(); step++) {
      for (int stage = 0; stage < stages.count(); stage++) {
        StepKernel kernel = stages.stage(stage);
        List<StepJob> jobs = new ArrayList<>();
        for (Slab slab : slabs) {
          jobs.addAll(slab.jobs(step, stage));
        }
        if (!jobs.isEmpty()) {
          memory.position(1 << 16);
          memory.put(kernel.table(jobs));
          new PtxRun(kernel.generate().ptx(), memory)
              .launch(
                  kernel.blocks(jobs),
                  jobs.size(),
                  StepKernel.THREADS,
                  arguments(test, stages, step - 1));
        }
      }
    }
  }

  private static long[] arguments(ProgramCase test, Stages stages, int step) {
    int parameters = test.program().parameters().size();
    long[] arguments = new long[5 + parameters];
    arguments[0] = 1 << 16;
    arguments[1] = BOUNDARIES;
    for (int axis = 0; axis < 3; axis++) {
      arguments[2 + axis] = stages.sizes().get(axis);
    }
    for (int i = 0; i < parameters; i++) {
      arguments[5 + i] = PtxCells.bits(test.type(), test.parameters().value(i, step));
    }
    return arguments;
  }

  private static int address(FieldLayout layout, Stored stored, int cell) {
    int row = cell / layout.rowCells();
    int column = cell % layout.rowCells();
    return (int) (stored.address() + row * layout.rowBytes() + (long) column * stored.cellBytes());
  }

  private void put(int address, ElementType type, Object cells, int cell) {
    if (type == ElementType.F32) {
      memory.putFloat(address, ((float[]) cells)[cell]);
    } else {
      memory.putDouble(address, ((double[]) cells)[cell]);
    }
  }

  /** Compares the cells outside of a span. */
  private void requireSame(
      ProgramCase test, FieldLayout layout, Stored actual, Object expected, Span left) {
    List<Integer> sizes = ArrayView.threeAxes(test.extent().sizes(), 1);
    for (int cell = 0; cell < test.extent().cells(); cell++) {
      int[] position = {
        cell / sizes.get(2) / sizes.get(1), cell / sizes.get(2) % sizes.get(1), cell % sizes.get(2)
      };
      int address = address(layout, actual, cell);
      boolean same =
          test.type() == ElementType.F32
              ? Float.compare(memory.getFloat(address), ((float[]) expected)[cell]) == 0
              : Double.compare(memory.getDouble(address), ((double[]) expected)[cell]) == 0;
      if (!same && !SlabTest.holds(left, position)) {
        throw new AssertionError("cell %d differs: %s".formatted(cell, test));
      }
    }
  }
}
