/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the arithmetic of a stencil: taps, combining, and what turns a reduction into a result.
 */
public final class CellMath {
  /** Up to here a binary32 holds every integer. */
  private static final int MAX_EXACT_F32 = 1 << 24;

  private final PtxWriter k;
  private final FlatStencil what;
  private final ElementType type;
  private final PtxType registers;
  private final String suffix;

  /** Creates the arithmetic of {@code what}; instructions go to {@code writer}. */
  public CellMath(PtxWriter writer, FlatStencil what) {
    this.k = writer;
    this.what = what;
    this.type = what.type();
    this.registers = CellType.registers(type);
    this.suffix = CellType.arithmetic(type);
  }

  /** Returns the kind of register that holds a cell. */
  public PtxType registers() {
    return registers;
  }

  /** Tells whether cells have counts beside their values: the kernel takes nulls. */
  public boolean counts() {
    return what.nullable();
  }

  /**
   * Returns what a null or missing cell is replaced by, which is also where reductions start. For
   * the least value that is NaN, the greatest of all.
   */
  public Literal neutral() {
    return switch (what.reduction()) {
      case SUM, MEAN, COUNT, WEIGHTED_SUM -> CellType.literal(type, 0);
      case MIN ->
          switch (type) {
            case F32, F64 -> CellType.literal(type, Double.NaN);
            case I32 -> Literal.of(Integer.MAX_VALUE);
            case I64 -> Literal.of(Long.MAX_VALUE);
          };
      case MAX ->
          switch (type) {
            case F32, F64 -> CellType.literal(type, Double.NEGATIVE_INFINITY);
            case I32 -> Literal.of(Integer.MIN_VALUE);
            case I64 -> Literal.of(Long.MIN_VALUE);
          };
    };
  }

  /** Returns a constant of the cells' type, converted as Java casts do. */
  public Literal literal(double value) {
    return CellType.literal(type, value);
  }

  /** Returns registers for {@code count} cells. */
  public List<Cell> newCells(int count) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cells.add(new Cell(k.register(registers), counts() ? k.register(PtxType.B32) : null));
    }
    return cells;
  }

  /** Returns a reduction over nothing yet. */
  public Cell start() {
    Register count = counts() ? k.b32("mov.u32", Literal.of(0)) : null;
    return new Cell(k.make(registers, move(), neutral()), count);
  }

  /** Returns the instruction that sets a cell's register. */
  public String move() {
    return "mov." + registers.declaration();
  }

  /** Writes a load of a cell by {@code opcode} without its type; returns the cell. */
  public Register load(String opcode, Address from) {
    return k.make(registers, opcode + "." + registers.declaration(), from);
  }

  /** Writes a choice between two cells; returns the one chosen. */
  public Register select(Operand ifTrue, Operand ifFalse, Register predicate) {
    return k.make(registers, "selp." + registers.declaration(), ifTrue, ifFalse, predicate);
  }

  /**
   * Adds the next tap to a reduction in place.
   *
   * @param sum the taps so far
   * @param cell the cell of this tap, later than all so far
   * @param weight its weight, or null
   */
  public void tap(Cell sum, Cell cell, Operand weight) {
    if (counts()) {
      k.put("add.s32", sum.count(), sum.count(), cell.count());
    }
    if (what.reduction() != Reduction.WEIGHTED_SUM) {
      combineInto(sum.value(), sum.value(), cell.value());
    } else if (!type.isFloating()) {
      k.put("mad.lo." + suffix, sum.value(), cell.value(), weight, sum.value());
    } else if (what.accuracy() == Accuracy.FAST) {
      k.put("fma.rn." + suffix, sum.value(), cell.value(), weight, sum.value());
    } else {
      Register product = k.make(registers, "mul.rn." + suffix, cell.value(), weight);
      k.put("add.rn." + suffix, sum.value(), sum.value(), product);
    }
  }

  /**
   * Returns a reduction of the first tap alone. The sum of 0.0 and the tap differs from the tap
   * only where that is -0.0, which {@link #finish} makes up for.
   */
  public Cell firstTap(Cell cell, Operand weight) {
    Register count = counts() ? k.b32("mov.u32", cell.count()) : null;
    Register value;
    if (what.reduction() == Reduction.WEIGHTED_SUM) {
      String multiply = type.isFloating() ? "mul.rn." : "mul.lo.";
      value = k.make(registers, multiply + suffix, cell.value(), weight);
    } else {
      value = k.make(registers, move(), cell.value());
    }
    return new Cell(value, count);
  }

  /** Returns the reduction of two runs of cells, the first of which lies earlier. */
  public Cell combine(Cell earlier, Cell later) {
    Register count = counts() ? k.b32("add.s32", earlier.count(), later.count()) : null;
    Register value = k.register(registers);
    combineInto(value, earlier.value(), later.value());
    return new Cell(value, count);
  }

  private void combineInto(Register result, Register earlier, Register later) {
    switch (what.reduction()) {
      case SUM, MEAN, COUNT, WEIGHTED_SUM -> k.put(CellType.add(type), result, earlier, later);
      case MIN, MAX -> {
        boolean least = what.reduction() == Reduction.MIN;
        if (!type.isFloating()) {
          k.put((least ? "min." : "max.") + suffix, result, earlier, later);
        } else {
          choose(result, earlier, later);
        }
      }
    }
  }

  /**
   * Takes the later cell only if it sorts strictly first. The hardware's min and max do not do:
   * they order -0.0 before 0.0, and drop NaN.
   */
  private void choose(Register result, Register earlier, Register later) {
    k.put("selp." + suffix, result, later, earlier, takesLater(earlier, later));
  }

  /** Returns whether the later of two floating-point cells is the least, or the greatest. */
  public Register takesLater(Register earlier, Register later) {
    boolean least = what.reduction() == Reduction.MIN;
    // NaN is the greatest: a NaN that came earlier gives way to anything for the least value, and a
    // NaN that comes later wins for the greatest.
    Register doubtful = least ? earlier : later;
    Register isNan = k.test("setp.nan." + suffix, doubtful, doubtful);
    String compare = least ? "setp.lt.or." : "setp.gt.or.";
    return k.test(compare + suffix, later, earlier, isNan);
  }

  /** Turns the reductions of a thread's outputs into results. */
  public List<Register> finish(List<Cell> sums) {
    if (counts()) {
      return sums.stream().map(this::finishCounted).toList();
    }
    return switch (what.reduction()) {
      case MIN, MAX, COUNT -> sums.stream().map(Cell::value).toList();
      case SUM, WEIGHTED_SUM -> sums.stream().map(s -> withoutNegativeZero(s.value())).toList();
      case MEAN -> new ConstantDivision(k, what).divide(sums.stream().map(Cell::value).toList());
    };
  }

  private Register withoutNegativeZero(Register sum) {
    if (!type.isFloating() || what.accuracy() == Accuracy.FAST) {
      return sum;
    }
    return k.make(registers, CellType.add(type), sum, CellType.literal(type, 0));
  }

  /** Divides a mean by its own count, and puts 0 where nothing counted. */
  private Register finishCounted(Cell sum) {
    Register value = sum.value();
    if (what.reduction() == Reduction.COUNT) {
      // A sum of ones is exact only as far as the type tells numbers apart.
      boolean rounds = type == ElementType.F32 && what.width() > MAX_EXACT_F32;
      return rounds ? k.make(registers, "cvt.rn.f32.u32", sum.count()) : value;
    }
    if (what.reduction() == Reduction.SUM || what.reduction() == Reduction.WEIGHTED_SUM) {
      return withoutNegativeZero(value);
    }
    Register something = k.test("setp.ne.u32", sum.count(), Literal.of(0));
    if (what.reduction() == Reduction.MEAN) {
      Register safe = k.b32("max.u32", sum.count(), Literal.of(1));
      Register divisor =
          switch (type) {
            case F32, F64 -> k.make(registers, "cvt.rn." + suffix + ".u32", safe);
            case I32 -> safe;
            case I64 -> k.make(registers, "cvt.u64.u32", safe);
          };
      Register dividend = withoutNegativeZero(value);
      value =
          k.make(registers, (type.isFloating() ? "div.rn." : "div.") + suffix, dividend, divisor);
    }
    return select(value, literal(0), something);
  }

  /** Returns the validity of each result, or null in a kernel without nulls. */
  public List<Register> validity(List<Cell> sums) {
    return counts() ? sums.stream().map(this::validity).toList() : null;
  }

  /** Returns 1 where a result is there and 0 where it is null, from what counted. */
  private Register validity(Cell sum) {
    return switch (what.reduction()) {
      case COUNT -> k.b32("mov.u32", Literal.of(1));
      case WEIGHTED_SUM -> {
        Register all = k.test("setp.eq.u32", sum.count(), Literal.of(what.width()));
        yield k.b32("selp.u32", Literal.of(1), Literal.of(0), all);
      }
      default -> k.b32("min.u32", sum.count(), Literal.of(1));
    };
  }
}
