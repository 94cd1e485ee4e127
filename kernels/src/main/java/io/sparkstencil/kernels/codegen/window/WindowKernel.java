/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellMath;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.CoefficientPlacement;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The kernel that is being written, as far as all over the flat array are alike: parameters, the
 * block's place, loads, shared memory, and the finished text. Lives for the generation of one
 * kernel.
 */
final class WindowKernel extends KernelWriter {
  /** The most shared memory that is declared in the text; more is asked for at launch. */
  static final int MAX_STATIC_SHARED_BYTES = 48 << 10;

  final KernelVariant variant;
  final FlatStencil what;
  final KernelSchedule how;
  final CellMath math;

  /** Bytes of a cell. */
  final int cellBytes;

  /** Cells of one global load. */
  final int unit;

  /** Cells between the tile's first cell and the block's first frame. */
  final int skew;

  final Register thread;

  /** First output of the block. */
  final Register firstPosition;

  /** Staged cell where the block's tile begins; a multiple of the unit. */
  final Register firstCell;

  private int sharedBytes;
  private ByteBuffer weightsToUpload;

  WindowKernel(KernelVariant variant) {
    super(parametersOf(variant));
    this.variant = variant;
    this.what = variant.what();
    this.how = variant.how();
    this.math = new CellMath(this, what);
    this.cellBytes = what.type().bytes();
    this.unit = how.vectorBytes() / what.type().bytes();
    this.skew = what.skewCells() % unit;
    thread = b32("mov.u32", Symbol.TID_X);
    Register block = b32("mov.u32", Symbol.CTAID_X);
    firstPosition = b32("mul.lo.u32", block, how.outputsPerBlock());
    Register shifted = b32("add.u32", firstPosition, argument(KernelParameter.SHIFT));
    firstCell = skew == 0 ? shifted : b32("sub.u32", shifted, skew);
  }

  private static List<KernelParameter> parametersOf(KernelVariant variant) {
    List<KernelParameter> wanted =
        new ArrayList<>(List.of(KernelParameter.INPUT, KernelParameter.OUTPUT));
    if (variant.what().nullable()) {
      wanted.add(KernelParameter.INPUT_VALIDITY);
      wanted.add(KernelParameter.OUTPUT_VALIDITY);
    }
    if (variant.how().coefficients() == CoefficientPlacement.READ_ONLY) {
      wanted.add(KernelParameter.WEIGHTS);
    }
    wanted.add(KernelParameter.STAGED_CELLS);
    wanted.add(KernelParameter.POSITIONS);
    wanted.add(KernelParameter.SHIFT);
    return wanted;
  }

  /**
   * Returns what loads of cells that ask the second-level cache to keep a window tell it, or null
   * if there is no window. The policy is the kernel's own: the cache is not divided for others.
   */
  Register cachePolicy() {
    long bytes = (long) how.persistingMebibytes() << 20;
    Address input = at(argument(KernelParameter.INPUT), 0);
    return bytes == 0
        ? null
        : b64("createpolicy.range.global.L2::evict_last.b64", input, bytes, bytes);
  }

  /** Reserves shared memory; returns its offset, a multiple of 16. */
  int reserveShared(int bytes) {
    int offset = sharedBytes;
    sharedBytes += (bytes + 15) / 16 * 16;
    return offset;
  }

  /** Returns a register with the address of the shared memory plus {@code offset} bytes. */
  Register sharedAddress(int offset) {
    Register base = b32("mov.u32", new Symbol("tile"));
    return offset == 0 ? base : b32("add.u32", base, offset);
  }

  /** Returns {@code base + index * bytes} for a shared address. */
  Register sharedAddress(Register base, Register index, int bytes) {
    return b32("mad.lo.u32", index, bytes, base);
  }

  /** Returns the address {@code index * bytes} after shared memory's byte {@code offset}. */
  Register sharedAddress(int offset, Register index, int bytes) {
    return sharedAddress(sharedAddress(offset), index, bytes);
  }

  /** Returns the global address of staged cell {@code cell}. */
  Register cellAt(Register cell) {
    return global(KernelParameter.INPUT, cell, cellBytes);
  }

  /** Returns the global address of a staged cell's validity, or null in a kernel without nulls. */
  Register validityAt(Register cell) {
    return math.counts() ? global(KernelParameter.INPUT_VALIDITY, cell, 1) : null;
  }

  /** Returns whether there is a staged cell {@code ahead} cells after {@code cell}. */
  Register isStaged(Register cell, int ahead) {
    Register index = b32("add.u32", cell, ahead);
    return test("setp.lt.u32", index, argument(KernelParameter.STAGED_CELLS));
  }

  /** Returns whether all {@code count} cells from {@code first} on are staged. */
  Register areStaged(Register first, int count) {
    Register end = b32("add.u32", first, count);
    return test("setp.le.u32", end, argument(KernelParameter.STAGED_CELLS));
  }

  /** Returns whether there is an output {@code ahead} places after {@code position}. */
  Register isPosition(Register position, int ahead) {
    Register index = b32("add.u32", position, ahead);
    return test("setp.lt.u32", index, argument(KernelParameter.POSITIONS));
  }

  /**
   * Loads a cell where {@code there} holds, else makes it one that does not count.
   *
   * @param opcode of the value, without its type
   * @param ahead cells between the addresses and the cell
   */
  void loadWhere(Register there, Cell cell, String opcode, Register at, Register valid, int ahead) {
    put(math.move(), cell.value(), math.neutral());
    String load = opcode + "." + cell.value().type().declaration();
    putIf(there, load, cell.value(), at(at, ahead * cellBytes));
    if (math.counts()) {
      put("mov.u32", cell.count(), 0);
      putIf(there, "ld.global.nc.u8", cell.count(), at(valid, ahead));
    }
  }

  /** Loads the validity bytes of a unit as one word. */
  Register loadValidity(Register valid, int ahead) {
    return b32("ld.global.nc.u" + 8 * unit, at(valid, ahead));
  }

  /** Returns the validity bytes of a unit, which were loaded as one word, as numbers 0 and 1. */
  List<Register> unpack(Register bytes) {
    if (unit == 1) {
      return List.of(bytes);
    }
    List<Register> counts = new ArrayList<>();
    for (int i = 0; i < unit; i++) {
      counts.add(b32("bfe.u32", bytes, 8 * i, 8));
    }
    return counts;
  }

  void uploadWeights(ByteBuffer weights) {
    weightsToUpload = weights;
  }

  /**
   * Reduces each output on its own, taps left to right, in straight-line code: a cell is loaded
   * once and added to all outputs of the thread that it is a tap of.
   */
  List<Cell> reduceInOrder(IntFunction<Cell> window, Weighting weights) {
    int outputs = how.cellsPerThread();
    Cell[] sums = new Cell[outputs];
    for (int offset = 0; offset < outputs + what.width() - 1; offset++) {
      Cell cell = window.apply(offset);
      int first = Math.max(0, offset - what.width() + 1);
      int last = Math.min(outputs - 1, offset);
      for (int output = first; output <= last; output++) {
        int tap = offset - output;
        Operand weight = weights.weight(tap);
        if (tap == 0) {
          sums[output] = math.firstTap(cell, weight);
        } else {
          math.tap(sums[output], cell, weight);
        }
      }
    }
    return List.of(sums);
  }

  /** Stores the results of a thread's outputs, and finishes the kernel. */
  GeneratedKernel finish(OutputStore store, List<Cell> sums) {
    store.write(sums);
    return finish();
  }

  GeneratedKernel finish() {
    put("ret");
    boolean fitsText = sharedBytes <= MAX_STATIC_SHARED_BYTES;
    if (sharedBytes > 0) {
      declare(
          fitsText
              ? ".shared .align 16 .b8 tile[%d]".formatted(sharedBytes)
              : ".extern .shared .align 16 .b8 tile[]");
    }
    List<String> directives =
        List.of(
            ".maxntid %d, 1, 1".formatted(how.threadsPerBlock()),
            ".maxnreg %d".formatted(how.registerBudget()));
    return new GeneratedKernel(
        variant.entryName(),
        finish(variant.where(), variant.entryName(), directives),
        how.threadsPerBlock(),
        how.outputsPerBlock(),
        fitsText ? sharedBytes : 0,
        fitsText ? 0 : sharedBytes,
        parameters(),
        how.form().matrices().isPresent(),
        weightsToUpload);
  }
}
