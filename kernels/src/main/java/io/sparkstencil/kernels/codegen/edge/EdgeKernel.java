/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.model.Reduction;
import java.util.List;

/**
 * The small kernel that runs after the one over the flat array, and corrects the outputs whose
 * frames touch missing cells: an {@link EdgeVariant}. One text serves all frames.
 */
public final class EdgeKernel {
  /** Threads of a block that takes four pieces at a time, a warp each. */
  static final int THREADS = 128;

  /** Threads of a block whose outputs share a core, an output each. */
  static final int THREADS_SHARING = 256;

  private static final int WARPS = THREADS / 32;

  private final PtxWriter k = new PtxWriter();
  private final EdgeVariant variant;
  private final List<KernelParameter> parameters;
  private final EdgePieces pieces;
  private final EdgeCells cells;

  private EdgeKernel(EdgeVariant variant) {
    this.variant = variant;
    boolean values = variant.task() == EdgeVariant.Task.VALUES;
    this.parameters =
        List.of(
            values ? KernelParameter.INPUT : KernelParameter.INPUT_VALIDITY,
            values ? KernelParameter.OUTPUT : KernelParameter.OUTPUT_VALIDITY,
            KernelParameter.PIECES,
            KernelParameter.PIECE_COUNT,
            KernelParameter.LEFT,
            KernelParameter.RIGHT,
            KernelParameter.PRECEDING,
            KernelParameter.FOLLOWING);
    this.pieces = new EdgePieces(k, parameters);
    this.cells = new EdgeCells(k, variant, pieces);
  }

  /** Returns the kernel of a variant. */
  public static GeneratedKernel generate(EdgeVariant variant) {
    requireNonNull(variant, "variant is null");
    return new EdgeKernel(variant).write();
  }

  private GeneratedKernel write() {
    boolean sharing = variant.form() == EdgeVariant.Form.SHARED_CORE;
    int threads = sharing ? THREADS_SHARING : THREADS;
    EdgeCore core = sharing ? new EdgeCore(k, pieces, cells, threads) : null;
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register blockY = k.b32("mov.u32", Symbol.CTAID_Y);
    Register blocksY = k.b32("mov.u32", Symbol.NCTAID_Y);
    Register piece = k.b32("mov.u32", blockY);
    Register pieceStep = blocksY;
    if (!sharing) {
      Register warp = k.b32("shr.u32", thread, Literal.of(5));
      k.put("mad.lo.u32", piece, blockY, Literal.of(WARPS), warp);
      pieceStep = k.b32("mul.lo.u32", blocksY, Literal.of(WARPS));
    }
    Symbol nextPiece = k.label("piece");
    Symbol end = k.label("end");
    k.place(nextPiece);
    Register pieceCount = pieces.argument(KernelParameter.PIECE_COUNT);
    k.putIf(k.test("setp.ge.u32", piece, pieceCount), "bra", end);
    if (sharing) {
      core.writePiece(pieces.load(piece), thread);
    } else {
      writePiece(pieces.load(piece), thread);
    }
    k.put("add.u32", piece, piece, pieceStep);
    k.put("bra", nextPiece);
    k.place(end);
    int sharedBytes = sharing ? core.sharedBytes() : 0;
    return GeneratedKernel.finish(k, variant, threads, 1, sharedBytes, parameters);
  }

  /** A lane per output. */
  private void writePiece(EdgePieces.PieceRegisters piece, Register thread) {
    Register lane = k.b32("and.b32", thread, Literal.of(31));
    Register blockX = k.b32("mov.u32", Symbol.CTAID_X);
    Register index = k.b32("mad.lo.u32", blockX, Literal.of(32), lane);
    Register blocksX = k.b32("mov.u32", Symbol.NCTAID_X);
    Register step = k.b32("mul.lo.u32", blocksX, Literal.of(32));
    Symbol nextOutput = k.label("output");
    Symbol done = k.label("piecedone");
    k.place(nextOutput);
    k.putIf(k.test("setp.ge.s32", index, piece.clipped()), "bra", done);
    EdgePieces.CutFrame frame = pieces.frame(piece, index);
    if (variant.task() == EdgeVariant.Task.CLIPPED_IS_NULL) {
      cells.storeNull(frame);
    } else if (variant.reduction() == Reduction.COUNT) {
      cells.store(frame, null);
    } else {
      Cell sum = cells.math().start();
      cells.reduceInto(sum, frame.first(), frame.stop());
      cells.store(frame, sum);
    }
    k.put("add.u32", index, index, step);
    k.put("bra", nextOutput);
    k.place(done);
  }
}
