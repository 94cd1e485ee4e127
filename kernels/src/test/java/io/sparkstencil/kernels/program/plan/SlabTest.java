/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.testkit.programs.ProgramCase;
import io.sparkstencil.testkit.programs.RandomPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The plans of passes, carried out on the host, give the cells of the reference. */
final class SlabTest {
  private static final int CASES = 200;
  private static final long BASE = 1 << 12;

  private final Random random = new Random(8);

  /** A program at random on fields that are a little larger. */
  private static final class Case {
    private final ProgramCase source;
    private final Stages stages;
    private final FieldLayout layout;
    private final ProgramArrays before;
    private final ProgramArrays after;
    private final HostJobs memory;
    private final List<Stored> from = new ArrayList<>();
    private final List<Stored> to = new ArrayList<>();
    private final long scratch;

    Case(ProgramCase source, Extent extent, int steps) {
      this.source =
          new ProgramCase(
              source.program(), ElementType.F64, extent, steps, source.kind(), source.seed());
      stages =
          new Stages(ProgramTraits.of(source.program()), ElementType.F64, extent.sizes(), Set.of());
      layout = FieldLayout.ofSizes(ElementType.F64, extent.sizes());
      before = this.source.arrays();
      after = this.source.arrays();
      ProgramReference.run(source.program(), after, this.source.parameters(), steps);
      long at = BASE;
      for (int field = 0; field < source.program().fields().size(); field++) {
        from.add(layout.at(at));
        to.add(layout.at(at + layout.bytes()));
        at += 2 * layout.bytes();
      }
      scratch = at;
      memory = new HostJobs(stages, this.source.parameters(), at + (1 << 24));
      for (int field = 0; field < from.size(); field++) {
        put(from.get(field), stages.all(), (double[]) before.arrays().get(field));
      }
    }

    private long address(Stored stored, int z, int y, int x) {
      List<Integer> first = stored.first();
      return stored.address()
          + (z - first.get(0)) * stored.plane()
          + (y - first.get(1)) * stored.row()
          + (long) (x - first.get(2)) * Double.BYTES;
    }

    /** Writes the cells of a span, which may go on beyond the ends of the field. */
    void put(Stored stored, Span span, double[] cells) {
      List<Integer> sizes = stages.sizes();
      for (int z = span.low().get(0); z < span.high().get(0); z++) {
        for (int y = span.low().get(1); y < span.high().get(1); y++) {
          for (int x = span.low().get(2); x < span.high().get(2); x++) {
            int cell =
                (Math.floorMod(z, sizes.get(0)) * sizes.get(1) + Math.floorMod(y, sizes.get(1)))
                        * sizes.get(2)
                    + Math.floorMod(x, sizes.get(2));
            memory.write(address(stored, z, y, x), cells[cell]);
          }
        }
      }
    }

    /** Compares the cells outside of a span, and that those in it were left alone. */
    void requireResultsOutside(Span inside) {
      for (int field = 0; field < stages.updated(); field++) {
        int cell = 0;
        for (int z = 0; z < stages.sizes().get(0); z++) {
          for (int y = 0; y < stages.sizes().get(1); y++) {
            for (int x = 0; x < stages.sizes().get(2); x++, cell++) {
              long address = address(to.get(field), z, y, x);
              if (holds(inside, z, y, x)) {
                assertThat(memory.isWritten(address)).as("inside").isFalse();
              } else {
                double expected = ((double[]) after.arrays().get(field))[cell];
                if (Double.compare(memory.read(address), expected) != 0) {
                  throw new AssertionError(
                      "field %d at %d %d %d is %s and not %s: %s"
                          .formatted(field, z, y, x, memory.read(address), expected, source));
                }
              }
            }
          }
        }
      }
    }
  }

  /** Tells whether a span has a cell. */
  static boolean holds(Span span, int... cell) {
    boolean holds = true;
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      holds &= cell[axis] >= span.low().get(axis) && cell[axis] < span.high().get(axis);
    }
    return holds;
  }

  private Case next(RandomPrograms programs, int steps) {
    ProgramCase source = programs.nextCase();
    int dimensions = source.program().dimensions();
    List<Integer> sizes = new ArrayList<>();
    for (int axis = 0; axis < dimensions; axis++) {
      sizes.add(1 + random.nextInt(dimensions == 1 ? 90 : dimensions == 2 ? 24 : 11));
    }
    return new Case(source, new Extent(sizes), steps);
  }

  private static boolean canBeCut(Stages stages) {
    for (int axis = 0; axis < stages.dimensions(); axis++) {
      if (SlabGeometry.wraps(stages.traits(), axis) == SlabGeometry.Wrapping.SOME) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aWholePassGivesAllCells() {
    RandomPrograms programs = new RandomPrograms(51);
    for (int i = 0; i < CASES; i++) {
      Case test = next(programs, 1);
      SlabGeometry geometry = test.stages.geometry(test.stages.all(), 1);
      test.memory.run(
          List.of(new Slab(test.stages, geometry, 1, test.from, null, List.of(), test.to)));
      test.requireResultsOutside(new Span(List.of(0, 0, 0), List.of(0, 0, 0)));
    }
  }

  /** A kernel that computes nothing here. */
  record Inside(int steps) implements FusedKernel {
    @Override
    public List<Integer> inputs() {
      return List.of();
    }

    @Override
    public List<Integer> outputs() {
      return List.of();
    }

    @Override
    public GeneratedKernel generate() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Span> results(Layout layout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Launch launch(Layout layout, Span results, int resident) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void slabsGiveTheCellsBesideTheInside() {
    RandomPrograms programs = new RandomPrograms(52);
    int done = 0;
    while (done < CASES) {
      int steps = 1 + random.nextInt(4);
      Case test = next(programs, steps);
      if (!canBeCut(test.stages)) {
        continue;
      }
      done++;
      List<Integer> low = new ArrayList<>();
      List<Integer> high = new ArrayList<>();
      for (int axis = 0; axis < test.stages.dimensions(); axis++) {
        int size = test.source.extent().size(axis);
        low.add(random.nextInt(size));
        high.add(low.get(axis) + 1 + random.nextInt(size - low.get(axis)));
      }
      Span inside = new Span(low, high);
      FusedPlan plan = FusedPlan.of(test.stages, new Inside(steps), inside);
      if (!plan.slabs().isEmpty()) {
        test.memory.run(plan.slabs(test.stages, test.scratch, test.from, test.to));
      }
      test.requireResultsOutside(
          new Span(ArrayView.threeAxes(low, 0), ArrayView.threeAxes(high, 1)));
    }
  }

  @Test
  void partsGiveTheirCells() {
    RandomPrograms programs = new RandomPrograms(53);
    int done = 0;
    while (done < CASES) {
      int steps = 1 + random.nextInt(4);
      Case test = next(programs, steps);
      if (SlabGeometry.wraps(test.stages.traits(), 0) == SlabGeometry.Wrapping.SOME) {
        continue;
      }
      done++;
      int size = test.stages.sizes().get(PartSize.axis(test.stages));
      int length = 1 + random.nextInt(size);
      for (int from = 0; from < size; from += length) {
        Span target = PartSize.part(test.stages, from, length);
        SlabGeometry geometry = test.stages.geometry(target, steps);
        FieldLayout layout = FieldLayout.of(ElementType.F64, geometry.window(true));
        long at = test.scratch;
        List<Stored> inputs = new ArrayList<>();
        List<Stored> others = new ArrayList<>();
        for (int field = 0; field < test.from.size(); field++) {
          inputs.add(layout.at(at));
          others.add(layout.at(at + layout.bytes()));
          at += 2 * layout.bytes();
          double[] cells = (double[]) test.before.arrays().get(field);
          test.put(inputs.get(field), geometry.loaded(), cells);
        }
        test.memory.run(
            List.of(
                new Slab(
                    test.stages,
                    geometry,
                    steps,
                    inputs,
                    geometry.loaded(),
                    List.of(inputs, others),
                    test.to)));
      }
      test.requireResultsOutside(new Span(List.of(0, 0, 0), List.of(0, 0, 0)));
    }
  }

  @Test
  void partsAreAsLongAsMemoryAllows() {
    Stages stages =
        new Stages(
            ProgramTraits.of(ProgramText.parse("u' = u[-1,0] + u[1,0] + c[0,1]")),
            ElementType.F64,
            List.of(1000, 64),
            Set.of());
    long row = 3 * 64 * 8;
    assertThat(PartSize.choose(stages, 1000 * row, 1)).isEqualTo(new PartSize(1000, 1));
    assertThat(PartSize.choose(stages, 101 * row, 1).length()).isBetween(98, 99);
    PartSize many = PartSize.choose(stages, 500 * row, 1000);
    assertThat(many.steps()).isGreaterThan(10);
    assertThat(many.length() + 2 * many.steps()).isBetween(490, 500);
    assertThatThrownBy(() -> PartSize.choose(stages, 2 * row, 1))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("spark.stencil.gpu.deviceBytes");
  }
}
