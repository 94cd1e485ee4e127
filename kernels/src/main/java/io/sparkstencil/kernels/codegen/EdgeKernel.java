/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.model.Weights;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The small kernel that runs after the one over the flat array, and corrects the outputs whose
 * frames touch missing cells. Missing cells are staged as 0, so sums and weighted sums are right
 * already; the other reductions are done again over the cells that are there. With nulls, missing
 * cells count as nulls, so values are right already and only some validity bytes are not.
 *
 * <p>A warp takes a piece, its lanes take clipped outputs. One text serves all frames.
 */
public final class EdgeKernel {
  private static final int THREADS = 128;
  private static final int WARPS = THREADS / 32;
  private static final int MAX_GRID_Y = 65_535;
  private static final int MAX_GRID_X = 4096;
  private static final int UNROLL = 4;

  /** What a kernel corrects. */
  public enum Task {
    /** Values of a batch without nulls: mean, min, max and count. */
    VALUES,
    /** Validity under the boundary valid: 0 at every clipped output. */
    CLIPPED_IS_NULL,
    /** Validity of a weighted sum under shrink: the taps outside the series do not matter. */
    WEIGHTED_VALIDITY
  }

  private final PtxWriter k = new PtxWriter();
  private final Map<KernelParameter, Register> arguments = new EnumMap<>(KernelParameter.class);
  private final Task task;
  private final FlatStencil what;
  private final CellMath math;
  private final List<KernelParameter> parameters;

  private EdgeKernel(Task task, Reduction reduction, ElementType type) {
    this.task = task;
    boolean weighted = reduction == Reduction.WEIGHTED_SUM;
    this.what =
        new FlatStencil(
            reduction, 1, weighted ? Weights.of(1) : Weights.NONE, type, Accuracy.EXACT, false, 0);
    this.math = new CellMath(k, what);
    this.parameters =
        List.of(
            task == Task.VALUES ? KernelParameter.INPUT : KernelParameter.INPUT_VALIDITY,
            task == Task.VALUES ? KernelParameter.OUTPUT : KernelParameter.OUTPUT_VALIDITY,
            KernelParameter.PIECES,
            KernelParameter.PIECE_COUNT,
            KernelParameter.LEFT,
            KernelParameter.RIGHT,
            KernelParameter.PRECEDING,
            KernelParameter.FOLLOWING);
  }

  /**
   * Returns what there is to correct after the kernel over the flat array, or empty if nothing is.
   *
   * @param nullable whether the batch has nulls
   */
  public static Optional<Task> taskFor(StencilSpec spec, boolean nullable) {
    if (!spec.boundary().leavesMissing()) {
      return Optional.empty();
    }
    boolean weighted = spec.reduction() == Reduction.WEIGHTED_SUM;
    if (!nullable) {
      return weighted || spec.reduction() == Reduction.SUM
          ? Optional.empty()
          : Optional.of(Task.VALUES);
    }
    if (spec.boundary().mode() == Boundary.Mode.VALID) {
      return Optional.of(Task.CLIPPED_IS_NULL);
    }
    return weighted ? Optional.of(Task.WEIGHTED_VALIDITY) : Optional.empty();
  }

  /** Returns the blocks of the grid's first dimension if no piece has more clipped outputs. */
  public static int gridX(int mostClippedOutputs) {
    return Math.max(1, Math.min(MAX_GRID_X, (mostClippedOutputs + 31) / 32));
  }

  /** Returns the blocks of the grid's second dimension. */
  public static int gridY(int pieces) {
    return Math.max(1, Math.min(MAX_GRID_Y, (pieces + WARPS - 1) / WARPS));
  }

  /** Returns the kernel for a task. */
  public static GeneratedKernel generate(Task task, Reduction reduction, ElementType type) {
    requireNonNull(task, "task is null");
    boolean sum = reduction == Reduction.SUM || reduction == Reduction.WEIGHTED_SUM;
    if (task == Task.VALUES && sum) {
      throw new IllegalArgumentException(
          "values of %s need no correction: missing cells are staged as 0".formatted(reduction));
    }
    return new EdgeKernel(task, reduction, type).write();
  }

  private GeneratedKernel write() {
    for (KernelParameter parameter : parameters) {
      boolean address = parameter.bytes() == 8;
      String width = address ? "u64" : "u32";
      Symbol name = k.parameter(width, parameter.name().toLowerCase(Locale.ROOT));
      Register value =
          k.make(address ? PtxType.B64 : PtxType.B32, "ld.param." + width, Address.at(name, 0));
      arguments.put(parameter, address ? k.make(PtxType.B64, "cvta.to.global.u64", value) : value);
    }
    Register thread = k.make(PtxType.B32, "mov.u32", Symbol.TID_X);
    Register warp = k.make(PtxType.B32, "shr.u32", thread, Literal.of(5));
    Register lane = k.make(PtxType.B32, "and.b32", thread, Literal.of(31));
    Register blockY = k.make(PtxType.B32, "mov.u32", Symbol.CTAID_Y);
    Register piece = k.make(PtxType.B32, "mad.lo.u32", blockY, Literal.of(WARPS), warp);
    Register blocksY = k.make(PtxType.B32, "mov.u32", Symbol.NCTAID_Y);
    Register pieceStep = k.make(PtxType.B32, "mul.lo.u32", blocksY, Literal.of(WARPS));
    Symbol nextPiece = k.label("piece");
    Symbol end = k.label("end");
    k.place(nextPiece);
    k.putIf(
        k.make(PtxType.PREDICATE, "setp.ge.u32", piece, arguments.get(KernelParameter.PIECE_COUNT)),
        "bra",
        end);
    writePiece(piece, lane);
    k.put("add.u32", piece, piece, pieceStep);
    k.put("bra", nextPiece);
    k.place(end);
    k.put("ret");
    String entry =
        "edge_%s_%s_%s"
            .formatted(
                task.name().toLowerCase(Locale.ROOT),
                what.reduction().name().toLowerCase(Locale.ROOT),
                what.type().name().toLowerCase(Locale.ROOT));
    String ptx = k.finish(PtxTarget.VOLTA, entry, List.of(".maxntid %d, 1, 1".formatted(THREADS)));
    return new GeneratedKernel(entry, ptx, THREADS, 1, 0, 0, parameters, null);
  }

  private void writePiece(Register piece, Register lane) {
    List<Register> row = k.registers(PtxType.B32, 4);
    Register rowAt =
        k.make(
            PtxType.B64,
            "mad.wide.u32",
            piece,
            Literal.of(16),
            arguments.get(KernelParameter.PIECES));
    k.put("ld.global.nc.v4.b32", new RegisterVector(row), Address.at(rowAt, 0));
    Register start = row.get(0);
    Register cells = row.get(1);
    Register left = arguments.get(KernelParameter.LEFT);
    Register right = arguments.get(KernelParameter.RIGHT);
    Register clippedLeft =
        clipped(row.get(2), left, arguments.get(KernelParameter.PRECEDING), cells);
    Register clippedRight =
        clipped(row.get(3), right, arguments.get(KernelParameter.FOLLOWING), cells);
    Register both = add(clippedLeft, clippedRight);
    Register clippedCells = k.make(PtxType.B32, "min.s32", both, cells);
    Register skipped = subtract(cells, clippedCells);
    Register presentEnd = subtract(add(add(left, cells), right), row.get(3));

    Register blockX = k.make(PtxType.B32, "mov.u32", Symbol.CTAID_X);
    Register index = k.make(PtxType.B32, "mad.lo.u32", blockX, Literal.of(32), lane);
    Register blocksX = k.make(PtxType.B32, "mov.u32", Symbol.NCTAID_X);
    Register step = k.make(PtxType.B32, "mul.lo.u32", blocksX, Literal.of(32));
    Symbol nextOutput = k.label("output");
    Symbol done = k.label("piecedone");
    k.place(nextOutput);
    k.putIf(k.make(PtxType.PREDICATE, "setp.ge.s32", index, clippedCells), "bra", done);
    Register onLeft = k.make(PtxType.PREDICATE, "setp.lt.s32", index, clippedLeft);
    Register fromRight = add(index, skipped);
    Register output = k.make(PtxType.B32, "selp.b32", index, fromRight, onLeft);
    Register center = add(output, left);
    Register first =
        k.make(
            PtxType.B32,
            "max.s32",
            subtract(center, arguments.get(KernelParameter.PRECEDING)),
            row.get(2));
    Register stop =
        k.make(
            PtxType.B32,
            "min.s32",
            k.make(
                PtxType.B32,
                "add.s32",
                add(center, arguments.get(KernelParameter.FOLLOWING)),
                Literal.of(1)),
            presentEnd);
    writeOutput(add(start, output), add(start, first), subtract(stop, first));
    k.put("add.u32", index, index, step);
    k.put("bra", nextOutput);
    k.place(done);
  }

  /** Returns how many outputs on one side have frames that reach into missing cells. */
  private Register clipped(Register missing, Register halo, Register reach, Register cells) {
    Register whole = add(subtract(missing, halo), reach);
    Register atLeastNone = k.make(PtxType.B32, "max.s32", whole, Literal.of(0));
    return k.make(PtxType.B32, "min.s32", atLeastNone, cells);
  }

  /** Writes the output at {@code position}, made of {@code count} cells from {@code first} on. */
  private void writeOutput(Register position, Register first, Register count) {
    int bytes = task == Task.VALUES ? what.type().bytes() : 1;
    KernelParameter target =
        task == Task.VALUES ? KernelParameter.OUTPUT : KernelParameter.OUTPUT_VALIDITY;
    Register at =
        k.make(PtxType.B64, "mad.wide.u32", position, Literal.of(bytes), arguments.get(target));
    switch (task) {
      case CLIPPED_IS_NULL -> {
        Register none = k.make(PtxType.B32, "mov.u32", Literal.of(0));
        k.put("st.global.u8", Address.at(at, 0), none);
      }
      case WEIGHTED_VALIDITY -> {
        Register some = k.make(PtxType.PREDICATE, "setp.gt.s32", count, Literal.of(0));
        Register valid = k.make(PtxType.B32, "selp.u32", Literal.of(1), Literal.of(0), some);
        forEachCell(
            first,
            count,
            1,
            KernelParameter.INPUT_VALIDITY,
            (from, offset) -> {
              Register there = k.make(PtxType.B32, "ld.global.nc.u8", Address.at(from, offset));
              k.put("min.u32", valid, valid, there);
            });
        k.put("st.global.u8", Address.at(at, 0), valid);
      }
      case VALUES ->
          k.put(
              "st.global." + CellType.memory(what.type()),
              Address.at(at, 0),
              valueOf(first, count));
    }
  }

  private Register valueOf(Register first, Register count) {
    PtxType registers = math.registers();
    String suffix = CellType.arithmetic(what.type());
    Register some = k.make(PtxType.PREDICATE, "setp.gt.s32", count, Literal.of(0));
    Register divisor = k.make(PtxType.B32, "max.s32", count, Literal.of(1));
    Register converted =
        switch (what.type()) {
          case F32, F64 -> k.make(registers, "cvt.rn." + suffix + ".s32", divisor);
          case I32 -> divisor;
          case I64 -> k.make(registers, "cvt.s64.s32", divisor);
        };
    Register value = converted;
    if (what.reduction() != Reduction.COUNT) {
      Cell sum = math.start();
      forEachCell(
          first,
          count,
          what.type().bytes(),
          KernelParameter.INPUT,
          (from, offset) -> {
            Register cell =
                k.make(
                    registers,
                    "ld.global.nc." + CellType.memory(what.type()),
                    Address.at(from, offset));
            math.tap(sum, new Cell(cell, null), null);
          });
      value = sum.value();
      if (what.reduction() == Reduction.MEAN) {
        String divide = what.type().isFloating() ? "div.rn." : "div.";
        value = k.make(registers, divide + suffix, value, converted);
      }
    }
    String select = what.type().isFloating() ? suffix : registers.declaration();
    return k.make(registers, "selp." + select, value, CellType.literal(what.type(), 0), some);
  }

  /** Work on one cell at an address and an offset in bytes. */
  private interface CellWork {
    void write(Register address, int offset);
  }

  /** Writes a loop over cells in order, several per turn so that loads overlap. */
  private void forEachCell(
      Register first, Register count, int bytes, KernelParameter source, CellWork work) {
    Register at =
        k.make(PtxType.B64, "mad.wide.u32", first, Literal.of(bytes), arguments.get(source));
    Register left = k.make(PtxType.B32, "mov.u32", count);
    for (int unroll : new int[] {UNROLL, 1}) {
      Symbol again = k.label("cells");
      Symbol done = k.label("cellsdone");
      k.place(again);
      k.putIf(k.make(PtxType.PREDICATE, "setp.lt.s32", left, Literal.of(unroll)), "bra", done);
      for (int i = 0; i < unroll; i++) {
        work.write(at, i * bytes);
      }
      k.put("add.u64", at, at, Literal.of(unroll * bytes));
      k.put("sub.s32", left, left, Literal.of(unroll));
      k.put("bra", again);
      k.place(done);
    }
  }

  private Register add(Register a, Register b) {
    return k.make(PtxType.B32, "add.s32", a, b);
  }

  private Register subtract(Register a, Register b) {
    return k.make(PtxType.B32, "sub.s32", a, b);
  }
}
