/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.move;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Kernels that move cells of pieces within a device, as they are: copies, and halos by the boundary
 * rule out of cells that are there already. A warp takes a piece, its lanes take cells.
 */
public final class PieceKernel {
  private static final int THREADS = 128;
  private static final int WARPS = THREADS / 32;
  private static final int MAX_GRID_Y = 65_535;
  private static final int MAX_GRID_X = 256;
  private static final int UNROLL = 4;

  /** What a kernel moves. */
  public sealed interface Task extends KernelKey {
    /** Returns the bytes of what is moved: 1, 4 or 8. */
    int bytes();
  }

  /**
   * Copies whole pieces from {@link KernelParameter#INPUT} to {@link KernelParameter#OUTPUT}; a row
   * of the pieces is the first cell there, the first cell here, the number of cells, and 0.
   */
  public record Copy(int bytes) implements Task {
    @Override
    public String entryName() {
      return "copy_pieces_b" + bytes;
    }
  }

  /**
   * Writes the halos of {@link KernelParameter#OUTPUT}, where each piece is a whole series.
   *
   * @param bytes bytes of a cell
   * @param mode the rule
   * @param outside the bits of a cell that the rule does not take from the series
   */
  public record Halos(int bytes, Boundary.Mode mode, long outside) implements Task {
    @Override
    public String entryName() {
      return "halos_b%d_%s_%x".formatted(bytes, mode.name().toLowerCase(Locale.ROOT), outside);
    }
  }

  private final Task task;
  private final KernelWriter k;

  private PieceKernel(Task task, List<KernelParameter> parameters) {
    this.task = task;
    this.k = new KernelWriter(parameters);
  }

  /** Returns the task that writes the halos of cells of {@code type} by {@code boundary}. */
  public static Halos halosOf(ElementType type, Boundary boundary) {
    return new Halos(type.bytes(), boundary.mode(), PtxCells.bits(type, boundary.constant()));
  }

  /** Returns the task that writes the validity bytes of halos by {@code boundary}. */
  public static Halos validityOf(Boundary boundary) {
    return new Halos(1, boundary.mode(), boundary.leavesMissing() ? 0 : 1);
  }

  /** Returns the blocks of the grid's first dimension if no piece moves more cells. */
  public static int gridX(int mostCells) {
    return Math.max(1, Math.min(MAX_GRID_X, (mostCells + 32 * UNROLL - 1) / (32 * UNROLL)));
  }

  /** Returns the blocks of the grid's second dimension. */
  public static int gridY(int pieces) {
    return Math.max(1, Math.min(MAX_GRID_Y, (pieces + WARPS - 1) / WARPS));
  }

  /** Returns the kernel for a task. */
  public static GeneratedKernel generate(Task task) {
    List<KernelParameter> parameters = new ArrayList<>();
    if (task instanceof Copy) {
      parameters.add(KernelParameter.INPUT);
    }
    parameters.add(KernelParameter.OUTPUT);
    parameters.add(KernelParameter.PIECES);
    parameters.add(KernelParameter.PIECE_COUNT);
    if (task instanceof Halos) {
      parameters.add(KernelParameter.LEFT);
      parameters.add(KernelParameter.RIGHT);
    }
    return new PieceKernel(task, parameters).write();
  }

  private GeneratedKernel write() {
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register warp = k.b32("shr.u32", thread, 5);
    Register lane = k.b32("and.b32", thread, 31);
    Register blockX = k.b32("mov.u32", Symbol.CTAID_X);
    Register blocksX = k.b32("mov.u32", Symbol.NCTAID_X);
    Register blockY = k.b32("mov.u32", Symbol.CTAID_Y);
    Register blocksY = k.b32("mov.u32", Symbol.NCTAID_Y);
    Register first = k.b32("mad.lo.u32", blockX, 32, lane);
    Register step = k.b32("mul.lo.u32", blocksX, 32);
    Register piece = k.b32("mad.lo.u32", blockY, WARPS, warp);
    Register pieceStep = k.b32("mul.lo.u32", blocksY, WARPS);
    k.forEachPiece(
        piece,
        pieceStep,
        row -> {
          if (task instanceof Halos halos) {
            writeHalos(halos, row, first, step);
          } else {
            writeCopy(row, first, step);
          }
        });
    return k.finish(task, THREADS, 1, 0);
  }

  private void writeCopy(List<Register> row, Register first, Register step) {
    Register from = addressOf(KernelParameter.INPUT, k.add(row.get(0), first));
    Register to = addressOf(KernelParameter.OUTPUT, k.add(row.get(1), first));
    Register bytes = k.b64("mul.wide.u32", step, task.bytes()); // between two turns
    Register left = k.subtract(row.get(2), first);
    Register turn = k.b32("mul.lo.u32", step, UNROLL);
    Register before = k.b32("mul.lo.u32", step, UNROLL - 1);
    Symbol again = k.label("cells");
    Symbol rest = k.label("rest");
    Symbol done = k.label("done");
    k.place(again);
    k.putIf(k.test("setp.le.s32", left, before), "bra", rest);
    List<Register> cells = new ArrayList<>();
    for (int i = 0; i < UNROLL; i++) {
      cells.add(load(from));
      k.put("add.u64", from, from, bytes);
    }
    for (Register cell : cells) {
      store(to, cell);
      k.put("add.u64", to, to, bytes);
    }
    k.put("sub.s32", left, left, turn);
    k.put("bra", again);
    k.place(rest);
    k.putIf(k.test("setp.le.s32", left, 0), "bra", done);
    store(to, load(from));
    k.put("add.u64", from, from, bytes);
    k.put("add.u64", to, to, bytes);
    k.put("sub.s32", left, left, step);
    k.put("bra", rest);
    k.place(done);
  }

  private void writeHalos(Halos halos, List<Register> row, Register first, Register step) {
    Register start = row.get(0);
    Register cells = row.get(1);
    Register left = k.argument(KernelParameter.LEFT);
    Register halo = k.add(left, k.argument(KernelParameter.RIGHT));
    Register origin = k.add(start, left); // where cell 0 of the series is
    Register index = k.b32("mov.u32", first);
    Symbol again = k.label("halo");
    Symbol done = k.label("halodone");
    k.putIf(k.test("setp.le.s32", cells, 0), "bra", done);
    k.place(again);
    k.putIf(k.test("setp.ge.s32", index, halo), "bra", done);
    Register onLeft = k.test("setp.lt.s32", index, left);
    Register before = k.subtract(index, left);
    Register position = k.select(before, k.add(before, cells), onLeft);
    Register value =
        switch (halos.mode()) {
          case VALID, SHRINK, CONSTANT ->
              k.make(registers(), "mov." + registers().declaration(), halos.outside());
          case NEAREST, REFLECT, MIRROR, WRAP -> {
            Register source = k.add(origin, sourceOf(halos.mode(), position, cells));
            yield load(addressOf(KernelParameter.OUTPUT, source));
          }
        };
    store(addressOf(KernelParameter.OUTPUT, k.add(origin, position)), value);
    k.put("add.u32", index, index, step);
    k.put("bra", again);
    k.place(done);
  }

  /** Writes what {@link Boundary#sourceIndex} says for a position outside the series. */
  private Register sourceOf(Boundary.Mode mode, Register position, Register cells) {
    Register last = k.subtract(cells, 1);
    return switch (mode) {
      case NEAREST -> k.b32("min.s32", k.b32("max.s32", position, 0), last);
      case WRAP -> floorRemainder(position, cells);
      case REFLECT -> {
        Register period = k.add(cells, cells);
        Register phase = floorRemainder(position, period);
        Register back = k.subtract(k.subtract(period, 1), phase);
        yield k.b32("min.s32", phase, back);
      }
      case MIRROR -> {
        // Of one cell the period is 0; any other number that has 0 as remainder of 0 does.
        Register twice = k.add(last, last);
        Register period = k.b32("max.s32", twice, 1);
        Register phase = floorRemainder(position, period);
        Register back = k.subtract(twice, phase);
        Register inside = k.b32("min.s32", phase, back);
        yield k.b32("max.s32", inside, 0);
      }
      case VALID, SHRINK, CONSTANT ->
          throw new IllegalArgumentException(mode + " takes no cells of the series");
    };
  }

  private Register floorRemainder(Register dividend, Register divisor) {
    Register remainder = k.b32("rem.s32", dividend, divisor);
    Register negative = k.test("setp.lt.s32", remainder, 0);
    return k.select(k.add(remainder, divisor), remainder, negative);
  }

  private PtxType registers() {
    return task.bytes() == 8 ? PtxType.B64 : PtxType.B32;
  }

  private String memory() {
    return task.bytes() == 1 ? "u8" : registers().declaration();
  }

  private Register addressOf(KernelParameter base, Register index) {
    return k.b64("mad.wide.s32", index, task.bytes(), k.argument(base));
  }

  private Register load(Register address) {
    return k.make(registers(), "ld.global." + memory(), at(address, 0));
  }

  private void store(Register address, Register value) {
    k.put("st.global." + memory(), at(address, 0), value);
  }
}
