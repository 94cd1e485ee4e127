/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.CellMath;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelArguments;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.CoefficientPlacement;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernel that is being written, as far as all over the flat array are alike: parameters, the
 * block's place, shared memory, and the finished text. Lives for the generation of one kernel.
 */
final class WindowKernel {
  /** The most shared memory that is declared in the text; more is asked for at launch. */
  static final int MAX_STATIC_SHARED_BYTES = 48 << 10;

  final PtxWriter k = new PtxWriter();
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

  private final List<KernelParameter> parameters;
  private final KernelArguments arguments;
  private int sharedBytes;
  private ByteBuffer weightsToUpload;

  WindowKernel(KernelVariant variant) {
    this.variant = variant;
    this.what = variant.what();
    this.how = variant.how();
    this.math = new CellMath(k, what);
    this.cellBytes = what.type().bytes();
    this.unit = how.vectorBytes() / what.type().bytes();
    this.skew = what.skewCells() % unit;
    this.parameters = parametersOf(variant);
    this.arguments = new KernelArguments(k, parameters);
    thread = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    firstPosition = k.b32("mul.lo.u32", block, Literal.of(how.outputsPerBlock()));
    Register shifted = k.b32("add.u32", firstPosition, parameter(KernelParameter.SHIFT));
    firstCell = skew == 0 ? shifted : k.b32("sub.u32", shifted, Literal.of(skew));
  }

  /**
   * Returns what loads of cells that ask the second-level cache to keep a window tell it, or null
   * if there is no window. The policy is the kernel's own: the cache is not divided for others.
   */
  Register cachePolicy() {
    if (how.persistingMebibytes() == 0) {
      return null;
    }
    Literal bytes = Literal.of((long) how.persistingMebibytes() << 20);
    return k.b64(
        "createpolicy.range.global.L2::evict_last.b64",
        Address.at(parameter(KernelParameter.INPUT), 0),
        bytes,
        bytes);
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

  /** Returns the value of a parameter of this kernel. */
  Register parameter(KernelParameter parameter) {
    return arguments.argument(parameter);
  }

  /** Reserves shared memory; returns its offset, a multiple of 16. */
  int reserveShared(int bytes) {
    int offset = sharedBytes;
    sharedBytes += (bytes + 15) / 16 * 16;
    return offset;
  }

  /** Returns a register with the address of the shared memory plus {@code offset} bytes. */
  Register sharedAddress(int offset) {
    Register base = k.b32("mov.u32", new Symbol("tile"));
    return offset == 0 ? base : k.b32("add.u32", base, Literal.of(offset));
  }

  /** Returns the global address of staged cell {@code cell}. */
  Register cellAt(Register cell) {
    return globalAddress(parameter(KernelParameter.INPUT), cell, cellBytes);
  }

  /** Returns the global address of a staged cell's validity, or null in a kernel without nulls. */
  Register validityAt(Register cell) {
    return math.counts() ? globalAddress(parameter(KernelParameter.INPUT_VALIDITY), cell, 1) : null;
  }

  /** Returns whether there is a staged cell {@code ahead} cells after {@code cell}. */
  Register isStaged(Register cell, int ahead) {
    Register index = k.b32("add.u32", cell, Literal.of(ahead));
    return k.test("setp.lt.u32", index, parameter(KernelParameter.STAGED_CELLS));
  }

  /** Returns whether all {@code count} cells from {@code first} on are staged. */
  Register areStaged(Register first, int count) {
    Register end = k.b32("add.u32", first, Literal.of(count));
    return k.test("setp.le.u32", end, parameter(KernelParameter.STAGED_CELLS));
  }

  /** Returns whether there is an output {@code ahead} places after {@code position}. */
  Register isPosition(Register position, int ahead) {
    Register index = k.b32("add.u32", position, Literal.of(ahead));
    return k.test("setp.lt.u32", index, parameter(KernelParameter.POSITIONS));
  }

  /** Returns {@code base + index * bytes} for a global address and an unsigned index. */
  Register globalAddress(Register base, Register index, int bytes) {
    return k.b64("mad.wide.u32", index, Literal.of(bytes), base);
  }

  /** Returns {@code base + index * bytes} for a shared address. */
  Register sharedAddress(Operand base, Register index, int bytes) {
    return k.b32("mad.lo.u32", index, Literal.of(bytes), base);
  }

  /** Returns the address {@code index * bytes} after shared memory's byte {@code offset}. */
  Register sharedAddress(int offset, Register index, int bytes) {
    return sharedAddress(sharedAddress(offset), index, bytes);
  }

  void uploadWeights(ByteBuffer weights) {
    weightsToUpload = weights;
  }

  GeneratedKernel finish() {
    k.put("ret");
    boolean fitsText = sharedBytes <= MAX_STATIC_SHARED_BYTES;
    if (sharedBytes > 0) {
      k.declare(
          fitsText
              ? ".shared .align 16 .b8 tile[%d]".formatted(sharedBytes)
              : ".extern .shared .align 16 .b8 tile[]");
    }
    String ptx =
        k.finish(
            variant.where(),
            variant.entryName(),
            List.of(
                ".maxntid %d, 1, 1".formatted(how.threadsPerBlock()),
                ".maxnreg %d".formatted(how.registerBudget())));
    return new GeneratedKernel(
        variant.entryName(),
        ptx,
        how.threadsPerBlock(),
        how.outputsPerBlock(),
        fitsText ? sharedBytes : 0,
        fitsText ? 0 : sharedBytes,
        parameters,
        weightsToUpload);
  }
}
