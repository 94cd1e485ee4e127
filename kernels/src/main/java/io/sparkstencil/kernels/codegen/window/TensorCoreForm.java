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
import io.sparkstencil.model.Accuracy;
import java.util.ArrayList;
import java.util.List;

/**
 * Each output on its own, taps left to right, by {@code mma.sync} of 16 x 8 outputs, or two of 8 x
 * 8, whose bits are those of a chain of fused multiply-adds in the order of taps.
 *
 * <p>A warp has 16 segments of consecutive cells, one for each row of A. Column b of B has the
 * weights moved down by b, with zeros above and below, so that D has 8 consecutive outputs of each
 * segment. A segment has C such blocks of columns, 8 cells apart: the cells of a step are those of
 * the block before it 8 cells ago, and the weights of a step are those that the block before it had
 * then. So each step loads the cells and the rows of weights of one product, and multiplies for all
 * C blocks; a ring of registers keeps the weights.
 *
 * <p>Zeros of B meet cells that are in no frame of that output: 7 + 7 at most. These change no bit
 * unless they are infinite or NaN; the sign of a zero does not matter, as no result is -0.0. A warp
 * with results that are not finite computes those that met such a cell once more, tap by tap.
 *
 * <p>Blocks take tiles in turn. The next tile is on its way while one is multiplied: without that,
 * all blocks of a multiprocessor wait for memory together, and then for tensor cores.
 */
final class TensorCoreForm {
  private static final int LANES = 32;
  private static final long ALL_LANES = 0xFFFFFFFFL;
  private static final int ROWS = 16;
  private static final int COLUMNS = MatrixShape.COLUMNS;

  /** Units of padding after a segment: lanes of four rows then meet in no bank. */
  private static final int PADDING_UNITS = 2;

  private static final int CELL_BYTES = 8;

  /** Results of a block that a lane holds: two in each of two rows. */
  private static final int HELD = 4;

  /** Products of a block up to which all are written out; compilers spill when there are more. */
  private static final int MAX_WRITTEN_PRODUCTS = 192;

  /** As many where a lane has two blocks: compilers load cells for them the earlier. */
  private static final int MAX_WRITTEN_PRODUCTS_OF_TWO_BLOCKS = 144;

  private final WindowKernel k;
  private final MatrixShape shape;
  private final int depth;
  private final int blocks;
  private final int segment;
  private final int stepsOfBlock;
  private final int leading;
  private final int weightedSteps;
  private final SharedTile tile;
  private final int slotBytes;
  private final Weighting weights;
  private final int weightCount;
  private final int weightOffset;
  private final List<Register> sums;
  private final List<List<Register>> ring = new ArrayList<>();
  private Register lane;

  /** Bytes from the first tile to the one that is multiplied. */
  private Register slot;

  /** Where the first cell of a lane is in the first tile, and its first weight. */
  private Register ownCells;

  private Register ownWeights;

  /** From the first output of a tile to the first of a warp, and of a lane. */
  private Register outputsOfWarp;

  private Register ownOutputs;

  private Register cellsAt;
  private Register weightsAt;

  TensorCoreForm(WindowKernel kernel) {
    this.k = kernel;
    this.shape = k.how.form().matrices().orElseThrow();
    this.depth = shape.depth();
    this.blocks = k.how.cellsPerThread() / HELD;
    this.segment = COLUMNS * blocks;
    this.stepsOfBlock = COLUMNS / depth;
    // Where the first frame is askew of 16 bytes, the cells before it get zeros for weights, too.
    this.leading = COLUMNS - 1 + k.skew;
    this.weightedSteps = shape.products(k.what) / depth;
    int cells = k.how.outputsPerBlock() + depth * weightedSteps - COLUMNS;
    TileShape cellsOfTile = new TileShape(k.unit, segment, PADDING_UNITS, cells);
    this.tile = new SharedTile(k, cellsOfTile);
    this.slotBytes = new SharedTile(k, cellsOfTile).valueOffset - tile.valueOffset;
    this.weightCount = (depth * weightedSteps + COLUMNS - 1 + 1) / 2 * 2;
    this.weights = new Weighting(k, leading, weightCount - leading - k.what.width());
    this.weightOffset = k.reserveShared(weightCount * CELL_BYTES);
    this.sums = k.registers(PtxType.F64, HELD * blocks);
    for (int step = 0; step < stepsOfBlock * blocks; step++) {
      ring.add(k.registers(PtxType.F64, depth / MatrixShape.PART));
    }
  }

  /** Writes the whole kernel. */
  GeneratedKernel write() {
    slot = k.b32("mov.u32", 0);
    TileFill fill = new TileFill(k, tile);
    fill.begin(k.firstCell, slot);
    copyWeights();
    locate();
    Register stride = k.b32("mov.u32", Symbol.NCTAID_X);
    k.put("mul.lo.u32", stride, stride, k.how.outputsPerBlock());
    Symbol again = k.label("tile");
    k.place(again);
    k.keepRolled();
    fill.awaitBegun();
    Register next = k.b32("add.u32", k.firstPosition, stride);
    Register more = k.test("setp.lt.u32", next, k.argument(KernelParameter.POSITIONS));
    Register nextCell = k.b32("add.u32", k.firstCell, stride);
    Register nextSlot = k.b32("sub.u32", slotBytes, slot);
    k.where(more, "last", () -> fill.begin(nextCell, nextSlot));
    writeTile();
    k.put("mov.u32", k.firstPosition, next);
    k.put("mov.u32", k.firstCell, nextCell);
    k.put("mov.u32", slot, nextSlot);
    k.putIf(more, "bra", again);
    return k.finish();
  }

  /** Writes where the cells, weights and results of a lane are. */
  private void locate() {
    lane = k.b32("and.b32", k.thread, LANES - 1);
    Register warp = k.b32("shr.u32", k.thread, 5);
    Register row = k.b32("shr.u32", lane, 2);
    Register column = k.b32("and.b32", lane, 3);
    Register segments = k.b32("mad.lo.u32", warp, ROWS, row);
    Register start = k.sharedAddress(tile.valueOffset, segments, segmentBytes());
    ownCells = k.sharedAddress(start, column, CELL_BYTES);
    Register up = k.b32("sub.u32", COLUMNS - 1, row);
    Register index = k.b32("add.u32", up, column);
    ownWeights = k.sharedAddress(weightOffset, index, CELL_BYTES);
    outputsOfWarp = k.b32("mul.lo.u32", warp, ROWS * segment);
    ownOutputs = k.b32("mul.lo.u32", segments, segment);
    k.put("mad.lo.u32", ownOutputs, column, 2, ownOutputs);
  }

  private void writeTile() {
    cellsAt = k.b32("add.u32", ownCells, slot);
    weightsAt = k.b32("mov.u32", ownWeights);
    sums.forEach(sum -> k.put("mov.f64", sum, Literal.f64(0)));
    writeSteps();
    Register doubtful = doubtful();
    Register upper = k.b32("add.u32", k.firstPosition, ownOutputs);
    storeRow(upper, 0);
    storeRow(k.b32("add.u32", upper, ROWS / 2 * segment), 2);
    Register any = k.test("vote.sync.any.pred", doubtful, ALL_LANES);
    k.where(any, "sound", this::writeRepairs);
  }

  /** Writes the test for results that are not finite, and makes 0.0 of those that are -0.0. */
  private Register doubtful() {
    Register greatest = null;
    for (Register result : sums) {
      Register bits = k.b64("mov.b64", result);
      Register high = k.b32("cvt.u32.u64", k.b64("shr.u64", bits, 32));
      Register size = k.b32("and.b32", high, 0x7FFFFFFF);
      greatest = greatest == null ? size : k.b32("max.u32", greatest, size);
      if (k.what.accuracy() != Accuracy.FAST) {
        // not by adding 0.0: units for doubles and tensor cores hinder each other
        Register negative = k.test("setp.eq.s64", bits, Long.MIN_VALUE);
        k.putIf(negative, "mov.f64", result, Literal.f64(0));
      }
    }
    return k.test("setp.ge.u32", greatest, 0x7FF00000);
  }

  private void storeRow(Register position, int from) {
    List<List<Register>> units = new ArrayList<>();
    for (int at = from; at < sums.size(); at += HELD) {
      units.add(sums.subList(at, at + 2));
    }
    OutputStore.write(k, position, units, COLUMNS);
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

  private int segmentBytes() {
    return (segment + PADDING_UNITS * k.unit) * CELL_BYTES;
  }

  /** Writes all steps; many in a loop whose turn is as long as the ring and as a segment. */
  private void writeSteps() {
    int turn = ring.size();
    int steps = weightedSteps + turn - stepsOfBlock;
    int written = blocks == 2 ? MAX_WRITTEN_PRODUCTS_OF_TWO_BLOCKS : MAX_WRITTEN_PRODUCTS;
    int turns = steps * depth <= written ? 0 : weightedSteps / turn;
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
    List<Register> cells = new ArrayList<>();
    for (int part = 0; part < depth; part += MatrixShape.PART) {
      int before = depth * ahead + part;
      int padded = before + before / segment * PADDING_UNITS * k.unit;
      for (int half = 0; half < 2; half++) {
        int offset = half * ROWS / 2 * segmentBytes() + padded * CELL_BYTES;
        cells.add(k.make(PtxType.F64, "ld.shared.f64", at(cellsAt, offset)));
      }
    }
    if (step < weightedSteps) {
      List<Register> loaded = ring.get(step % ring.size());
      for (int part = 0; part < loaded.size(); part++) {
        int before = depth * ahead + MatrixShape.PART * part;
        k.put("ld.shared.f64", loaded.get(part), at(weightsAt, before * CELL_BYTES));
      }
    }
    for (int block = 0; block < blocks; block++) {
      int weight = step - stepsOfBlock * block;
      if (weight >= 0 && weight < weightedSteps) {
        multiply(block, cells, ring.get(weight % ring.size()));
      }
    }
  }

  /** Writes the products of 16 rows of cells with weights, by one matrix or two. */
  private void multiply(int block, List<Register> cells, List<Register> weight) {
    int rows = shape.rows() / COLUMNS; // of a lane
    int halves = 2 / rows;
    for (int half = 0; half < halves; half++) {
      int first = HELD * block + half * HELD / halves;
      RegisterVector sum = new RegisterVector(sums.subList(first, first + HELD / halves));
      List<Register> left = halves == 1 ? cells : cells.subList(half, half + 1);
      k.put(shape.instruction(), sum, new RegisterVector(left), new RegisterVector(weight), sum);
    }
  }

  /** Writes the loop over a warp's outputs that looks for those that met what is not finite. */
  private void writeRepairs() {
    k.put("bar.warp.sync", ALL_LANES);
    Register output = k.b32("add.u32", outputsOfWarp, lane);
    Register end = k.b32("add.u32", outputsOfWarp, ROWS * segment);
    k.loop(
        "repair",
        "repaired",
        () -> k.test("setp.ge.u32", output, end),
        () -> {
          Register column = k.b32("and.b32", output, COLUMNS - 1);
          Register block = k.b32("sub.u32", output, column);
          Register before = k.b32("add.u32", column, k.skew);
          Register clean = k.test("setp.eq.u32", lane, lane);
          int outside = depth * weightedSteps - k.what.width();
          for (int i = 0; i < outside; i++) {
            Register behind = k.test("setp.le.u32", before, i);
            Register skipped = k.b32("selp.u32", k.what.width() + i, i, behind);
            Register cell = cell(k.b32("add.u32", block, skipped));
            Register size = k.make(PtxType.F64, "abs.f64", cell);
            k.put("setp.lt.and.f64", clean, size, Literal.f64(Double.POSITIVE_INFINITY), clean);
          }
          Symbol next = k.label("next");
          k.putIf(clean, "bra", next);
          writeRepair(output);
          k.place(next);
          k.put("add.u32", output, output, LANES);
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
    Register first = k.sharedAddress(slot, place, CELL_BYTES);
    Register address = k.b32("add.u32", first, k.sharedAddress(tile.valueOffset));
    return k.make(PtxType.F64, "ld.shared.f64", at(address, 0));
  }
}
