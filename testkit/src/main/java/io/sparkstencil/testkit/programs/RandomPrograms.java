/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Reach;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes programs at random, in one to three dimensions, of every operation, with several fields,
 * coefficients, parameters, positions, staged updates, shared parts, and boundaries of their own on
 * each side. The same seed gives the same programs.
 */
public final class RandomPrograms {
  private static final int MOST_CELLS = 4000;

  private static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.REFLECT,
          Boundary.MIRROR,
          Boundary.NEAREST,
          Boundary.constant(0),
          Boundary.constant(-1.25),
          Boundary.constant(Double.NaN));

  private final Random random;

  /** Creates a generator. */
  public RandomPrograms(long seed) {
    random = new Random(seed);
  }

  /** Returns the next program. */
  public StencilProgram next() {
    int dimensions = 1 + random.nextInt(3);
    List<String> axes =
        random.nextInt(4) == 0
            ? List.of("depth", "row", "column").subList(3 - dimensions, 3)
            : StencilProgram.axes(dimensions);
    StencilProgram program =
        StencilProgram.of(axes, builder -> new RandomUpdates(random, axes, builder).write());
    for (String field : program.fields()) {
      program = program.withBoundary(field, boundary(dimensions));
    }
    return program.withAccuracy(random.nextBoolean() ? Accuracy.EXACT : Accuracy.FMA);
  }

  private FieldBoundary boundary(int dimensions) {
    if (random.nextInt(3) == 0) {
      return FieldBoundary.uniform(side(), dimensions);
    }
    List<Boundary> low = new ArrayList<>();
    List<Boundary> high = new ArrayList<>();
    for (int axis = 0; axis < dimensions; axis++) {
      boolean wraps = random.nextInt(4) == 0;
      low.add(wraps ? Boundary.WRAP : side());
      high.add(wraps ? Boundary.WRAP : side());
    }
    return new FieldBoundary(low, high);
  }

  private Boundary side() {
    return BOUNDARIES.get(random.nextInt(BOUNDARIES.size()));
  }

  /** Returns the next program with cells: few along some axes, fewer than it reaches. */
  public ProgramCase nextCase() {
    StencilProgram program = next();
    List<Reach> reach = ProgramTraits.of(program).reach();
    List<Integer> sizes = new ArrayList<>();
    int cells = 1;
    for (int i = 0; i < program.dimensions(); i++) {
      int axis = i;
      int radius = reach.stream().mapToInt(field -> field.radius(axis)).max().orElse(0);
      int most = Math.max(1, MOST_CELLS / cells);
      int size =
          switch (random.nextInt(8)) {
            case 0 -> 1;
            case 1 -> 2;
            case 2 -> radius;
            case 3 -> 2 * radius + 1;
            default -> 1 + random.nextInt(program.dimensions() == 1 ? 700 : 40);
          };
      sizes.add(Math.max(1, Math.min(size, most)));
      cells *= sizes.get(axis);
    }
    return new ProgramCase(
        program,
        random.nextBoolean() ? ElementType.F32 : ElementType.F64,
        new Extent(sizes),
        1 + random.nextInt(7),
        random.nextBoolean() ? CellMix.ORDINARY : CellMix.SPECIAL,
        random.nextLong());
  }
}
