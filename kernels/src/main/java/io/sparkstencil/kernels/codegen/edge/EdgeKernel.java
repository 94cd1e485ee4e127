/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.model.Reduction;

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

  private final EdgeVariant variant;
  private final EdgeCells k;

  private EdgeKernel(EdgeVariant variant) {
    this.variant = variant;
    this.k = new EdgeCells(variant);
  }

  /** Returns the kernel of a variant. */
  public static GeneratedKernel generate(EdgeVariant variant) {
    requireNonNull(variant, "variant is null");
    return new EdgeKernel(variant).write();
  }

  private GeneratedKernel write() {
    boolean shares = variant.form() == EdgeVariant.Form.SHARED_CORE;
    EdgeCore core = shares ? new EdgeCore(k, THREADS_SHARING) : null;
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register blockY = k.b32("mov.u32", Symbol.CTAID_Y);
    Register blocksY = k.b32("mov.u32", Symbol.NCTAID_Y);
    Register piece = k.b32("mov.u32", blockY);
    if (shares) { // a block per piece
      k.forEachPiece(piece, blocksY, row -> core.writePiece(k.piece(row), thread));
      return k.finish(variant, THREADS_SHARING, 1, core.sharedBytes());
    }
    // A warp per piece, a lane per output.
    Register warp = k.b32("shr.u32", thread, 5);
    k.put("mad.lo.u32", piece, blockY, WARPS, warp);
    Register pieceStep = k.b32("mul.lo.u32", blocksY, WARPS);
    k.forEachPiece(piece, pieceStep, row -> writePiece(k.piece(row), thread));
    return k.finish(variant, THREADS, 1, 0);
  }

  private void writePiece(EdgeCells.Piece piece, Register thread) {
    Register lane = k.b32("and.b32", thread, 31);
    Register blockX = k.b32("mov.u32", Symbol.CTAID_X);
    Register index = k.b32("mad.lo.u32", blockX, 32, lane);
    Register blocksX = k.b32("mov.u32", Symbol.NCTAID_X);
    Register step = k.b32("mul.lo.u32", blocksX, 32);
    k.loop(
        "output",
        "piecedone",
        () -> k.test("setp.ge.s32", index, piece.clipped()),
        () -> {
          writeOutput(k.frame(piece, index));
          k.put("add.u32", index, index, step);
        });
  }

  private void writeOutput(EdgeCells.CutFrame frame) {
    if (variant.task() == EdgeVariant.Task.CLIPPED_IS_NULL) {
      k.storeNull(frame);
    } else if (variant.reduction() == Reduction.COUNT) {
      k.store(frame, null);
    } else {
      Cell sum = k.math.start();
      k.reduceInto(sum, frame.first(), frame.stop());
      k.store(frame, sum);
    }
  }
}
