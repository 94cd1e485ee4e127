/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.MatrixShape;
import java.util.ArrayList;
import java.util.List;

/**
 * Each output on its own, taps left to right, by {@code mma.sync} of 16 x 8 outputs and 4 taps, or
 * two of 8 x 8, whose bits are those of a chain of fused multiply-adds in the order of taps.
 *
 * <p>A warp has 16 segments of consecutive cells, one for each row of A. Column b of B has the
 * weights moved down by b, with zeros above and below, so that D has 8 consecutive outputs of each
 * segment. A segment has C such blocks of columns, 8 cells apart: the cells of a step are those of
 * the block before it two steps ago, and the weights of a step are those that the block before it
 * had two steps ago. So each step loads 4 cells of a segment and 4 rows of weights, and multiplies
 * for all C blocks; a ring of 2C registers keeps the weights.
 *
 * <p>Zeros of B meet cells that are in no frame of that output: 7 + 3 at most. These change no bit
 * unless they are infinite or NaN; the sign of a zero does not matter, as 0.0 is added at the end.
 * A block with such cells computes the outputs that met one once more, tap by tap.
 */
final class TensorCoreForm {
  private static final int ROWS = 16;
  private static final int COLUMNS = MatrixShape.COLUMNS;
  private static final int DEPTH = MatrixShape.DEPTH;

  /** Units of padding after a segment: lanes of four rows then meet in no bank. */
  private static final int PADDING_UNITS = 2;

  private static final int CELL_BYTES = 8;

  /** Results of a block that a lane holds: two in each of two rows. */
  private static final int HELD = 4;

  /** Steps up to which all are written out; compilers spill when there are more. */
  private static final int MAX_WRITTEN_STEPS = 48;

  private final WindowKernel k;
  private final MatrixShape shape;
  private final int blocks;
  private final int segment;
  private final int leading;
  private final int weightedSteps;
  private final SharedTile tile;
  private final Weighting weights;
  private final int weightCount;
  private final int weightOffset;
  private final int flagOffset;
  private final List<Cell> sums = new ArrayList<>();
  private final List<Register> ring;
  private Register cellsAt;
  private Register weightsAt;

  TensorCoreForm(WindowKernel kernel) {
    this.k = kernel;
    this.shape = k.how.form().matrices().orElseThrow();
    this.blocks = k.how.cellsPerThread() / HELD;
    this.segment = COLUMNS * blocks;
    // Where the first frame is askew of 16 bytes, the cells before it get zeros for weights, too.
    this.leading = COLUMNS - 1 + k.skew;
    this.weightedSteps = (k.skew + k.what.width() + COLUMNS - 1 + DEPTH - 1) / DEPTH;
    int cells = k.how.outputsPerBlock() + DEPTH * weightedSteps - COLUMNS;
    this.tile = new SharedTile(k, new TileShape(k.unit, segment, PADDING_UNITS, cells));
    this.weightCount = (DEPTH * weightedSteps + COLUMNS - 1 + 1) / 2 * 2;
    this.weights = new Weighting(k, leading, weightCount - leading - k.what.width());
    this.weightOffset = k.reserveShared(weightCount * CELL_BYTES);
    this.flagOffset = k.reserveShared(warps() * Integer.BYTES);
    this.ring = k.registers(PtxType.F64, 2 * blocks);
  }

  private int warps() {
    return k.how.threadsPerBlock() / 32;
  }

  /** Writes the whole kernel. */
  GeneratedKernel write() {
    Register finite = k.test("setp.eq.u32", k.thread, k.thread);
    TileFill fill = new TileFill(k, tile, values -> values.forEach(cell -> watch(cell, finite)));
    fill.write(k.firstCell);
    copyWeights();
    Register lane = k.b32("and.b32", k.thread, 31);
    Register warp = k.b32("shr.u32", k.thread, 5);
    tell(finite, lane, warp);
    fill.await();
    Register allFinite = ask();
    Register row = k.b32("shr.u32", lane, 2);
    Register column = k.b32("and.b32", lane, 3);
    locate(warp, row, column);
    for (int i = 0; i < HELD * blocks; i++) {
      sums.add(k.math.start());
    }
    writeSteps();
    store(k.math.finish(sums), warp, row, column);
    Symbol done = k.label("done");
    k.putIf(allFinite, "bra", done);
    k.put("bar.sync", 0);
    writeRepairs();
    k.place(done);
    return k.finish();
  }

  private void store(List<Register> results, Register warp, Register row, Register column) {
    Register segments = k.b32("mad.lo.u32", warp, ROWS, row);
    Register first = k.b32("mad.lo.u32", segments, segment, k.firstPosition);
    Register upper = k.b32("mad.lo.u32", column, 2, first);
    storeRow(results, upper, 0);
    storeRow(results, k.b32("add.u32", upper, ROWS / 2 * segment), 2);
  }

  private void storeRow(List<Register> results, Register position, int from) {
    List<List<Register>> units = new ArrayList<>();
    for (int at = from; at < results.size(); at += HELD) {
      units.add(results.subList(at, at + 2));
    }
    OutputStore.write(k, position, units, COLUMNS);
  }

  /** Writes the check of a cell on its way into the tile. */
  private void watch(Register cell, Register finite) {
    Register size = k.make(PtxType.F64, "abs.f64", cell);
    k.put("setp.lt.and.f64", finite, size, Literal.f64(Double.POSITIVE_INFINITY), finite);
  }

  private void copyWeights() {
    int threads = k.how.threadsPerBlock();
    Register from = k.b64("mad.wide.u32", k.thread, 16, weights.base());
    Register to = k.sharedAddress(weightOffset, k.thread, 16);
    for (int done = 0; 2 * done < weightCount; done += threads) {
      int left = weightCount / 2 - done;
      Register part = left >= threads ? null : k.test("setp.lt.u32", k.thread, left);
      int ahead = 16 * done;
      k.where(
          part,
          "noweights",
          () -> {
            List<Register> two = k.registers(PtxType.F64, 2);
            k.load("ld.global.nc", two, at(from, ahead));
            k.store("st.shared", at(to, ahead), two);
          });
    }
  }

  /** Writes what tells the block whether all cells that a warp brought are finite. */
  private void tell(Register finite, Register lane, Register warp) {
    Register all = k.test("vote.sync.all.pred", finite, 0xFFFFFFFFL);
    Register flag = k.b32("selp.u32", 1, 0, all);
    Register leader = k.test("setp.eq.u32", lane, 0);
    k.putIf(leader, "st.shared.b32", at(k.sharedAddress(flagOffset, warp, 4), 0), flag);
  }

  private Register ask() {
    Register flags = k.sharedAddress(flagOffset);
    Register all = null;
    for (int warp = 0; warp < warps(); warp++) {
      Register one = k.b32("ld.shared.b32", at(flags, 4 * warp));
      all = all == null ? one : k.b32("and.b32", all, one);
    }
    return k.test("setp.ne.u32", all, 0);
  }

  private int segmentBytes() {
    return (segment + PADDING_UNITS * k.unit) * CELL_BYTES;
  }

  /** Writes where a lane's first cell and weight are. */
  private void locate(Register warp, Register row, Register column) {
    Register segments = k.b32("mad.lo.u32", warp, ROWS, row);
    Register start = k.sharedAddress(tile.valueOffset, segments, segmentBytes());
    cellsAt = k.sharedAddress(start, column, CELL_BYTES);
    Register up = k.b32("sub.u32", COLUMNS - 1, row);
    Register index = k.b32("add.u32", up, column);
    weightsAt = k.sharedAddress(weightOffset, index, CELL_BYTES);
  }

  /** Writes all steps; many in a loop whose turn is as long as the ring and as a segment. */
  private void writeSteps() {
    int turn = 2 * blocks;
    int steps = weightedSteps + turn - 2;
    int turns = steps <= MAX_WRITTEN_STEPS ? 0 : weightedSteps / turn;
    int looped = Math.max(0, turns - 1);
    int first = Math.min(steps, turns > 0 ? turn : steps);
    for (int step = 0; step < first; step++) {
      writeStep(step, step);
    }
    if (looped > 0) {
      Register left = k.b32("mov.u32", looped);
      Symbol again = k.label("steps");
      k.place(again);
      k.keepRolled();
      advance();
      for (int step = 0; step < turn; step++) {
        writeStep(turn + step, step);
      }
      k.put("sub.u32", left, left, 1);
      k.putIf(k.test("setp.ne.u32", left, 0), "bra", again);
    }
    for (int step = turns * turn; turns > 0 && step < steps; step++) {
      if (step % turn == 0) {
        advance();
      }
      writeStep(step, step % turn);
    }
  }

  private void advance() {
    k.put("add.u32", cellsAt, cellsAt, segmentBytes());
    k.put("add.u32", weightsAt, weightsAt, segment * CELL_BYTES);
  }

  /**
   * Writes a step.
   *
   * @param step its number, or that of any with as many blocks at work
   * @param ahead steps from where the addresses are
   */
  private void writeStep(int step, int ahead) {
    int pads = ahead / (2 * blocks);
    int cells = DEPTH * ahead + pads * PADDING_UNITS * k.unit;
    Register upper = k.make(PtxType.F64, "ld.shared.f64", at(cellsAt, cells * CELL_BYTES));
    int below = ROWS / 2 * segmentBytes() + cells * CELL_BYTES;
    Register lower = k.make(PtxType.F64, "ld.shared.f64", at(cellsAt, below));
    if (step < weightedSteps) {
      Register loaded = ring.get(step % ring.size());
      k.put("ld.shared.f64", loaded, at(weightsAt, DEPTH * ahead * CELL_BYTES));
    }
    for (int block = 0; block < blocks; block++) {
      int weight = step - 2 * block;
      if (weight >= 0 && weight < weightedSteps) {
        multiply(block, List.of(upper, lower), ring.get(weight % ring.size()));
      }
    }
  }

  /** Writes the products of 16 rows of cells with weights, by one matrix or two. */
  private void multiply(int block, List<Register> cells, Register weight) {
    int rows = shape.rows() / COLUMNS; // of a lane
    for (int row = 0; row < cells.size(); row += rows) {
      int first = HELD * block + row * HELD / cells.size();
      List<Cell> held = sums.subList(first, first + rows * HELD / cells.size());
      RegisterVector sum = new RegisterVector(Cell.values(held));
      k.put(
          shape.instruction(),
          sum,
          new RegisterVector(cells.subList(row, row + rows)),
          new RegisterVector(List.of(weight)),
          sum);
    }
  }

  /** Writes the loop over a thread's outputs that looks for those that met what is not finite. */
  private void writeRepairs() {
    Register output = k.b32("mov.u32", k.thread);
    k.loop(
        "repair",
        "repaired",
        () -> k.test("setp.ge.u32", output, k.how.outputsPerBlock()),
        () -> {
          Register column = k.b32("and.b32", output, COLUMNS - 1);
          Register block = k.b32("sub.u32", output, column);
          Register before = k.b32("add.u32", column, k.skew);
          Register clean = k.test("setp.eq.u32", k.thread, k.thread);
          int outside = DEPTH * weightedSteps - k.what.width();
          for (int i = 0; i < outside; i++) {
            Register behind = k.test("setp.le.u32", before, i);
            Register skipped = k.b32("selp.u32", k.what.width() + i, i, behind);
            watch(cell(k.b32("add.u32", block, skipped)), clean);
          }
          Symbol next = k.label("next");
          k.putIf(clean, "bra", next);
          writeRepair(output);
          k.place(next);
          k.put("add.u32", output, output, k.how.threadsPerBlock());
        });
  }

  private void writeRepair(Register output) {
    Cell sum = k.math.start();
    Register tap = k.b32("mov.u32", 0);
    Register first = k.b32("add.u32", output, k.skew);
    Register weightsFrom = k.sharedAddress(weightOffset + leading * CELL_BYTES);
    k.loop(
        "tap",
        "tapped",
        () -> k.test("setp.ge.u32", tap, k.what.width()),
        () -> {
          Register cell = cell(k.b32("add.u32", first, tap));
          Register weightAt = k.sharedAddress(weightsFrom, tap, CELL_BYTES);
          Register weight = k.make(PtxType.F64, "ld.shared.f64", at(weightAt, 0));
          k.math.tap(sum, new Cell(cell, null), weight);
          k.put("add.u32", tap, tap, 1);
        });
    Register result = k.math.finish(List.of(sum)).get(0);
    Register position = k.b32("add.u32", k.firstPosition, output);
    Register target = k.global(KernelParameter.OUTPUT, position, CELL_BYTES);
    k.putIf(k.isPosition(position, 0), "st.global.f64", at(target, 0), result);
  }

  /** Returns the tile's cell {@code index}. */
  private Register cell(Register index) {
    Register pads = k.b32("shr.u32", index, Integer.numberOfTrailingZeros(segment));
    Register place = k.b32("mad.lo.u32", pads, PADDING_UNITS * k.unit, index);
    Register address = k.sharedAddress(tile.valueOffset, place, CELL_BYTES);
    return k.make(PtxType.F64, "ld.shared.f64", at(address, 0));
  }
}
