/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the shapes of {@link PlaneStream}s: by an estimate of the time of each in an array, among
 * those that the registers and the shared memory of a block can hold.
 *
 * <p>Measured on an H200, in billions of cells and steps per second, for cells of 32 and 64 bits:
 * seven points, fused, 5 steps, 4 rows, 8 warps 1648 and 678; 4 steps, 4 rows, 12 warps 1348 and
 * 730; 3 steps 1025 and 534. 27 points, fused, 2 steps, 4 rows, 12 warps 669 and 307; 2 steps, 2
 * rows, 16 warps 370 for 64 bits; 3 steps 659 and 338. Acoustic wave of eighth order, one step, 2
 * rows, 8 warps 211. All move 2.6 to 3.5 TB/s, rims included, of the 4.2 that copying reaches.
 *
 * <p>On another H200, with the cells beside the ends, in doubles: seven points, 4 steps, 4 rows, 12
 * warps 624; 5 rows, 8 warps 677, which hold the boundary along the rows, too. The wave with 1 row,
 * 8 warps 93, and with 2 rows 98, of which 3.9 TB/s come and go.
 *
 * <p>On a third one, seven points in doubles, 4 steps, 5 rows, 8 warps, as ratios: 1.03 to 1.04
 * with warps that compute while others arrive and three planes ahead; 1.02 with two, 1.01 with
 * three alone. Seven points in floats had 0.99 to 1.01 that way. On a fourth one, 27 points in
 * doubles, 2 steps, as ratios to 2 rows, 16 warps: 4 rows, 8 warps that compute while others arrive
 * 1.02, 4 warps 0.97; 3 steps, 4 rows, 8 warps 0.96 either way.
 */
public final class PlaneStreams {
  /** With more steps, tiles lose more cells at their rims than memory gains. */
  private static final int MAX_STEPS = 5;

  private static final int AHEAD = 2;

  /** A kernel of fewer steps is taken if it is at most this much slower: its rim is smaller. */
  private static final double SLOWER = 1.06;

  private static final int[] ROWS = {4, 2, 1};

  private static final int[] WARPS = {4, 8, 12, 16};

  /**
   * Rows of a warp and warps that are tried for doubles, too: the more rows, the fewer of their
   * cells are read by others. With cells of 32 bits, of which a lane has four in a row, as many
   * rows were slower.
   */
  private static final int MANY_ROWS = 5;

  private static final int WARPS_OF_MANY_ROWS = 8;

  /** Fewer rows with which warps compute while others arrive, in so many warps and so few steps. */
  private static final int OVERLAPPING_ROWS = 4;

  private static final int OVERLAPPING_WARPS = 8;
  private static final int OVERLAPPING_STEPS = 2;

  /** More steps take more registers than lanes have. */
  private static final int STEPS_OF_MANY_ROWS = 4;

  /**
   * From this capability on, assemblers spill many rows of warps that compute while others arrive:
   * of seven points of doubles 48 to 120 bytes, which take 244 to 247 registers on Hopper.
   */
  private static final int AFTER_HOPPER = 100;

  /** The shapes that are given for a number of steps. */
  private static final int SHAPES_OF_STEPS = 3;

  /** A kernel and the cycles that it takes per step. */
  private record Rated(PlaneStream kernel, double cycles) {}

  private PlaneStreams() {}

  /**
   * Returns kernels for a program of three dimensions, the fastest first, some for each number of
   * steps. There are none before devices that copy to shared memory asynchronously.
   *
   * @param layout how the cells lie in memory; each kernel has results in it
   */
  public static List<PlaneStream> fastestFirst(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    Cancellation cancellation = Cancellation.ofThread(); // wide programs take a while
    List<Rated> rated = new ArrayList<>();
    if (device.computeCapability() < PtxTarget.AMPERE.architecture()) {
      return List.of();
    }
    int chunk = PlaneMemory.CHUNK / type.bytes();
    HeldEnds ends = HeldEnds.of(traits.program().boundaries(), layout.sizes(), chunk);
    Map<List<Integer>, StageTimes> known = new HashMap<>();
    for (int steps = 1; steps <= MAX_STEPS; steps++) {
      PlanePlan plan = new PlanePlan(traits, steps, known);
      int found = rated.size();
      for (PlaneShape shape : shapes(steps, type, traits.program())) {
        cancellation.check();
        fitting(plan, shape, type, ends, device)
            .flatMap(kernel -> rated(kernel, layout))
            .ifPresent(rated::add);
      }
      if (rated.size() == found) {
        break;
      }
    }
    rated.sort(Comparator.comparing(Rated::cycles));
    preferFewerSteps(rated);
    List<PlaneStream> fastest = new ArrayList<>();
    for (Rated one : rated) {
      int steps = one.kernel.steps();
      if (fastest.stream().filter(kernel -> kernel.steps() == steps).count() < SHAPES_OF_STEPS) {
        fastest.add(one.kernel);
      }
    }
    return fastest;
  }

  /**
   * Returns the kernel of a shape that holds the boundary along the rows and columns; or only along
   * the columns, which take others longest, if registers are lacking.
   */
  private static Optional<PlaneStream> fitting(
      PlanePlan plan, PlaneShape shape, ElementType type, HeldEnds ends, DeviceTraits device) {
    return Stream.of(ends, ends.only(false, true))
        .flatMap(held -> tiles(plan, shape, type, held, device))
        .map(PlaneStream::new)
        .filter(kernel -> fits(kernel, device))
        .findFirst();
  }

  /**
   * Returns the tiles of a shape, the one that is taken if it fits first. Its warps compute while
   * others arrive where that was faster: fused operations on rows of doubles, of which a warp has
   * some for which it needs no others. The planes ahead may leave it too little shared memory.
   */
  private static Stream<PlaneTile> tiles(
      PlanePlan plan, PlaneShape shape, ElementType type, HeldEnds ends, DeviceTraits device) {
    PlaneTile tile = new PlaneTile(plan, shape, type, ends);
    boolean overlaps =
        device.computeCapability() >= PtxTarget.HOPPER.architecture()
            && type == ElementType.F64
            && (overlapsWithManyRows(plan, shape, device) || overlapsWithFewRows(shape))
            && plan.program().accuracy() != Accuracy.EXACT
            && tile.hasRowsOfItsOwn();
    return overlaps
        ? Stream.of(new PlaneTile(plan, shape.overlapping(), type, ends), tile)
        : Stream.of(tile);
  }

  /** Boxes of 27 points of doubles, 3 steps, spilled more than 1000 bytes on Hopper, too. */
  private static boolean overlapsWithManyRows(
      PlanePlan plan, PlaneShape shape, DeviceTraits device) {
    return shape.rows() == MANY_ROWS
        && !plan.readsDiagonally()
        && device.computeCapability() < AFTER_HOPPER;
  }

  private static boolean overlapsWithFewRows(PlaneShape shape) {
    return shape.rows() == OVERLAPPING_ROWS
        && shape.warps() == OVERLAPPING_WARPS
        && shape.steps() <= OVERLAPPING_STEPS;
  }

  private static Optional<Rated> rated(PlaneStream kernel, FusedKernel.Layout layout) {
    return kernel
        .results(layout)
        .map(span -> new Rated(kernel, kernel.cost().cyclesPerStep(kernel, layout, span)));
  }

  private static void preferFewerSteps(List<Rated> rated) {
    int first = 0;
    for (int i = 1; i < rated.size(); i++) {
      boolean close = rated.get(i).cycles <= SLOWER * rated.get(0).cycles;
      if (close && rated.get(i).kernel.steps() < rated.get(first).kernel.steps()) {
        first = i;
      }
    }
    if (first > 0) {
      rated.add(0, rated.remove(first));
    }
  }

  /** Returns the shapes that are tried for a number of steps. */
  static List<PlaneShape> shapes(int steps, ElementType type, StencilProgram program) {
    // kept planes tempt the assembler to compute products long before their sums
    boolean rereadsFirst = program.accuracy() == Accuracy.EXACT;
    List<PlaneShape> shapes = new ArrayList<>();
    int cells = PlaneMemory.CHUNK / type.bytes();
    // parameters take registers in each step, which are few then
    boolean many = steps <= STEPS_OF_MANY_ROWS && program.parameters().isEmpty();
    if (many && type == ElementType.F64) {
      for (boolean rereads : new boolean[] {rereadsFirst, !rereadsFirst}) {
        shapes.add(new PlaneShape(steps, cells, MANY_ROWS, WARPS_OF_MANY_ROWS, AHEAD, rereads));
      }
    }
    for (int rows : ROWS) {
      for (int warps : WARPS) {
        shapes.add(new PlaneShape(steps, cells, rows, warps, AHEAD, rereadsFirst));
        shapes.add(new PlaneShape(steps, cells, rows, warps, AHEAD, !rereadsFirst));
      }
    }
    return shapes;
  }

  /** Returns whether a block of a device can hold what a kernel needs. */
  static boolean fits(PlaneStream kernel, DeviceTraits device) {
    return kernel.tile().validColumns() > 0
        && kernel.tile().validRows() > 0
        && kernel.tile().memory().bytes() <= device.sharedBytesPerBlock()
        && kernel.cost().mostRegisters() <= PlaneCost.available(kernel.shape().warps());
  }
}
