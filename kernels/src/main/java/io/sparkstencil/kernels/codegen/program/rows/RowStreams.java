/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.kernels.codegen.program.CountedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.kernels.codegen.program.OperationCost;
import io.sparkstencil.kernels.codegen.program.StreamSegments;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses the shapes of {@link RowStream}s: by a count of instructions, exchanges and bytes for
 * each, among those whose waiting cells fit the registers. The weights are those with which the
 * count comes closest to what was measured on an H200 with 16384 x 16384 cells: for 35 kernels of
 * five programs it is 4 % off on average, and 14 % at most. Some of them, by steps, cells of a lane
 * and warps of a block, in G cells and steps per second:
 *
 * <pre>
 *                    measured (counted)
 *   5 points   F64   14, 6, 2: 2303 (2278)    12, 4, 1: 2115 (2056)     8, 6, 1: 1801 (1876)
 *   9 points   F64    8, 12, 2: 1429 (1425)    7, 6, 1: 1367 (1413)     8, 4, 1: 1284 (1299)
 *   13 points  F64    4, 6, 2: 819 (798)       4, 4, 1: 746 (727)       3, 4, 1: 670 (645)
 *   5 points   F32   10, 8, 1: 4448 (4565)    12, 8, 2: 4236 (4453)    12, 4, 1: 4007 (4187)
 *   9 points   F32    8, 12, 2: 2839 (2900)    8, 8, 1: 2820 (2860)     8, 4, 1: 2487 (2641)
 *   exact 5    F32    8, 12, 1: 3023 (3089)    8, 8, 1: 2888 (2860)    10, 8, 1: 2781 (2903)
 *   Gray-Scott F32    8, 4, 1: 1348 (1346)     6, 4, 1: 1334 (1270)     4, 8, 1: 830 (955)
 * </pre>
 *
 * Three and more warps a block, each with instructions of its own, were slower than counted (5
 * points, F64, 12 steps: 1859 with three warps, 1842 with six), and are not chosen.
 *
 * <p>These are figures of a few launches. In many, doubles run into the power limit of the device,
 * and its clock falls: what counts then is also how many bytes and words a step moves. Eight warps
 * that share their instructions ({@link RowTile#sharesCode}) take two and three times as many steps
 * at once, with more cells in a lane. On an H200 in its limit, with 16384 x 16384 random cells:
 *
 * <pre>
 *   5 points   F64   24, 14, 8: 2019    16, 14, 8: 1822    14, 6, 2: 1743
 *   13 points  F64    8, 14, 8: 720      4, 6, 2: 687      8, 10, 8: 631
 * </pre>
 *
 * Cells that have faded to nothing take little power. Out of the limit, 24, 14, 8 had 1984 and 14,
 * 6, 2 had 2125, the steps beside the ends of rows included, of which longer passes compute more.
 */
public final class RowStreams {
  /** The fewest cells of a program of which single steps stream, too. */
  private static final int WIDE = 64;

  private static final int MAX_STEPS = 16;
  private static final int MAX_CHUNKS = 6;
  private static final int AHEAD = 8;

  /** Warps of a block. */
  private static final int[] WARPS = {1, 2};

  /** Warps of a block that share their instructions, and cells of a lane then. */
  private static final int SHARING_WARPS = 8;

  private static final int SHARING_CELLS = 14;

  /** The most steps of such a block. */
  private static final int MOST_SHARING_STEPS = 24;

  /**
   * The most registers of a lane for cells that wait or arrive. What an assembler needs besides
   * them depends on how it orders instructions; {@link HeldRegisters} counts what it cannot avoid.
   */
  private static final int REGISTERS = 200;

  /**
   * The same for lanes whose warp computes few levels of many cells: the assembler has less to put
   * in order.
   */
  private static final int SHARING_REGISTERS = 210;

  /** What a register counts if rows wait for two more rows, and so take turns in three slots. */
  private static final double OF_THREE_SLOTS = 1.25;

  /** What a register counts if no level lags behind: assemblers then work on several rows. */
  private static final double WITHOUT_LAG = 1.5;

  /** What a register counts if rows are loaded, which assemblers do early. */
  private static final double OF_LOADED_ROWS = 1.25;

  /** The most operations of a block's loops: with twice as many, fetching them takes longer. */
  private static final int OPERATIONS = 2200;

  /**
   * The same where eight warps share instructions: with 1512 they gained nothing over the usual two
   * warps, with 2100 they lost a third.
   */
  private static final int SHARED_OPERATIONS = 1300;

  /** Turns of a scheduler for a row besides the operations and exchanges of its levels. */
  private static final int ROW_TURNS = 20;

  /** Times that lanes which use the same banks of shared memory wait for each other. */
  private static final int CONFLICT = 4;

  /** Turns of a scheduler that are lost for a turn in which lanes exchange. */
  private static final double OF_EXCHANGE = 0.1;

  /** Multiprocessors of an H200. */
  private static final int MULTIPROCESSORS = 132;

  private static final int REGISTERS_OF_MULTIPROCESSOR = 65_536;

  /** Registers of a lane besides those that {@link #registers} counts. */
  private static final int UNCOUNTED = 50;

  /** Warps of a scheduler that keep it busy. */
  private static final double WARPS_TO_BE_BUSY = 1.5;

  /** About the rows of a segment where the weights were measured. */
  private static final int MEASURED_ROWS = 800;

  /** Schedulers of a multiprocessor, which share the unit for exchanges. */
  private static final int SCHEDULERS = 4;

  /** The part of the time that is lost for each further warp of a block. */
  private static final double OF_WARP = 0.04;

  /** The part of the time that is lost in blocks whose warps share their instructions. */
  private static final double OF_SHARING = 0.06;

  /** The part of copying that is not hidden by computing, or of computing by copying. */
  private static final double EXPOSED = 0.15;

  /** The part of the counted time that measured kernels save for each further step. */
  private static final double OF_STEP = 0.005;

  private RowStreams() {}

  /** Returns kernels for a program that have results in an array, the fastest first. */
  public static List<FusedKernel> fastestFirst(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    return counted(traits, type, layout, device).stream()
        .sorted(Comparator.comparing(CountedKernel::turns))
        .map(CountedKernel::kernel)
        .toList();
  }

  /** Returns kernels for a program that have results in an array. */
  public static List<CountedKernel> counted(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    Cancellation cancellation = Cancellation.ofThread(); // wide programs take a while
    int ahead = device.computeCapability() >= PtxTarget.AMPERE.architecture() ? AHEAD : 0;
    int chunk = RowTile.CHUNK_BYTES / type.bytes();
    HeldEnds ends =
        HeldEnds.of(traits.program().boundaries(), layout.sizes(), chunk).only(false, true);
    List<RowTile.Shape> shapes = new ArrayList<>();
    for (int cells = chunk; cells <= MAX_CHUNKS * chunk; cells += chunk) {
      for (int warps : WARPS) {
        for (int steps = fewestSteps(traits); steps <= MAX_STEPS; steps++) {
          if (steps * traits.stages().size() % warps == 0) {
            shapes.add(new RowTile.Shape(steps, cells, ahead, warps));
          }
        }
      }
    }
    for (int steps = SHARING_WARPS; steps <= MOST_SHARING_STEPS; steps += SHARING_WARPS) {
      RowTile.Shape shape = new RowTile.Shape(steps, SHARING_CELLS, ahead, SHARING_WARPS);
      boolean shares = new RowTile(traits, type, shape, HeldEnds.NONE).sharesCode();
      if (shares && ahead > 0 && type == ElementType.F64) {
        shapes.add(shape);
      }
    }
    List<CountedKernel> fitting = new ArrayList<>();
    for (RowTile.Shape shape : shapes) {
      cancellation.check();
      RowTile held = new RowTile(traits, type, shape, ends);
      RowTile tile = held.fitsAtEnds() ? held : new RowTile(traits, type, shape, HeldEnds.NONE);
      RowStream kernel = new RowStream(tile);
      if (fits(tile, device) && kernel.results(layout).isPresent()) {
        fitting.add(new CountedKernel(kernel, turns(kernel, layout)));
      }
    }
    return fitting;
  }

  /** Returns 1 if a kernel that streams is faster than one that loads each cell of each sum. */
  private static int fewestSteps(ProgramTraits traits) {
    List<Node> nodes = traits.program().nodes();
    long taps = nodes.stream().filter(Node.Tap.class::isInstance).count();
    return taps >= WIDE && traits.stages().size() == 1 ? 1 : 2;
  }

  private static boolean fits(RowTile tile, DeviceTraits device) {
    boolean shares = tile.sharesCode();
    return registers(tile) <= (shares ? SHARING_REGISTERS : REGISTERS)
        && HeldRegisters.of(tile) <= HeldRegisters.most(tile)
        && HeldRegisters.withConstants(tile) <= HeldRegisters.MOST_WITH_CONSTANTS
        && operations(tile) <= (shares ? SHARED_OPERATIONS : OPERATIONS)
        && tile.relayAt(tile.shape().warps()) <= device.sharedBytesPerBlock();
  }

  /** Returns an estimate of the registers of a lane for cells that wait or arrive. */
  static double registers(RowTile tile) {
    int words = tile.type().bytes() / Float.BYTES;
    int cells = tile.shape().cells();
    int fringe = 0;
    for (int stage = 0; stage < tile.traits().stages().size(); stage++) {
      fringe = Math.max(fringe, tile.schedule(stage).fringes().size());
    }
    int rows = tile.inputs().size() * (tile.copiesAhead() ? 1 : 2);
    boolean places =
        tile.traits().program().nodes().stream().anyMatch(Node.Coordinate.class::isInstance);
    double count = words * (tile.waitingCells() + (rows + (places ? 1 : 0)) * cells + fringe);
    return count
        * (tile.slots() > 2 ? OF_THREE_SLOTS : 1)
        * (tile.copiesAhead() ? 1 : OF_LOADED_ROWS)
        * (tile.lag() == 0 ? WITHOUT_LAG : 1);
  }

  private static int operations(RowTile tile) {
    int all = tile.traits().operations() * tile.shape().cells() * tile.steps() * tile.slots();
    // those of the first warp, of the last one, and of all between them
    return tile.sharesCode() ? 3 * all / tile.shape().warps() : all;
  }

  /**
   * Returns an estimate of the turns of a scheduler for a step of 32 cells of an array. In a small
   * one, blocks leave schedulers idle, or read more rows than they have results.
   */
  private static double turns(RowStream kernel, FusedKernel.Layout layout) {
    FusedKernel.Span results = kernel.results(layout).orElseThrow();
    RowTile tile = kernel.tile();
    int warps = tile.shape().warps();
    int residentWarps = REGISTERS_OF_MULTIPROCESSOR / 32 / (int) (registers(tile) + UNCOUNTED);
    int resident = MULTIPROCESSORS * Math.max(1, residentWarps / warps);
    RowParts parts = kernel.parts(results);
    StreamSegments even = parts.evenSegments(resident);
    double rows = even.longLines();
    int blocks = parts.tiles() * even.count();
    double busy = (double) blocks * warps / (MULTIPROCESSORS * SCHEDULERS * WARPS_TO_BE_BUSY);
    double lead = (1 + tile.lead() / rows) / (1 + (double) tile.lead() / MEASURED_ROWS);
    return turns(tile) * lead / Math.min(1, busy);
  }

  /** Returns an estimate of the turns of a scheduler for a step of 32 cells of a large array. */
  static double turns(RowTile tile) {
    RowTile.Shape shape = tile.shape();
    double valid = (double) tile.validColumns() / tile.columns();
    double results = shape.cells() * valid * shape.steps();
    int operations = OperationCost.ofStep(tile.traits(), tile.type()) * shape.cells();
    double issued = operations * shape.steps() + shuffles(tile) + ROW_TURNS * shape.warps();
    double exchanged = (shuffles(tile) + sharedTurns(tile)) * SCHEDULERS;
    double computes =
        (issued + OF_EXCHANGE * exchanged)
            / results
            * (1 + (tile.sharesCode() ? OF_SHARING : OF_WARP * (shape.warps() - 1)));
    double fields = tile.inputs().size() / valid + tile.outputs().size();
    double bytes = fields * tile.type().bytes() / shape.steps();
    double copies = bytes * 32 * OperationCost.TURNS_PER_BYTE;
    double counted = Math.max(computes, copies) + EXPOSED * Math.min(computes, copies);
    return counted * (1 - OF_STEP * shape.steps());
  }

  /** Returns the words that lanes exchange for a row. */
  private static int shuffles(RowTile tile) {
    int fringes =
        IntStream.range(0, tile.levels().count())
            .map(level -> tile.schedule(level).fringes().size())
            .sum();
    return fringes * tile.type().bytes() / Float.BYTES;
  }

  /** Returns the turns of shared memory for a row, which takes 128 bytes in a turn. */
  private static int sharedTurns(RowTile tile) {
    int chunks = tile.shape().cells() * tile.type().bytes() / RowTile.CHUNK_BYTES;
    int turns = RowTile.CHUNK_BYTES * 32 / 128;
    int conflicts = Integer.lowestOneBit(Math.min(chunks, 8)) - 1;
    int fields = tile.inputs().size() + (tile.staggersResults() ? tile.outputs().size() : 0);
    int handed =
        IntStream.range(1, tile.shape().warps())
            .map(warp -> tile.levels().live(tile.firstLevel(warp)).size())
            .sum();
    return turns * chunks * (fields * (2 + CONFLICT * conflicts) + 2 * handed);
  }
}
