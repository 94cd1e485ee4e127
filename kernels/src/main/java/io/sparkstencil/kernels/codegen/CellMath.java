/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes the arithmetic of a stencil: taps, combining, and what turns a reduction into a result.
 */
public final class CellMath {
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
    this.registers = PtxCells.registers(type);
    this.suffix = PtxCells.arithmetic(type);
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
      case SUM, MEAN, COUNT, WEIGHTED_SUM -> PtxCells.literal(type, 0);
      case MIN ->
          switch (type) {
            case F32, F64 -> PtxCells.literal(type, Double.NaN);
            case I32 -> Literal.of(Integer.MAX_VALUE);
            case I64 -> Literal.of(Long.MAX_VALUE);
          };
      case MAX ->
          switch (type) {
            case F32, F64 -> PtxCells.literal(type, Double.NEGATIVE_INFINITY);
            case I32 -> Literal.of(Integer.MIN_VALUE);
            case I64 -> Literal.of(Long.MIN_VALUE);
          };
    };
  }

  /** Returns a constant of the cells' type, converted as Java casts do. */
  public Literal literal(double value) {
    return PtxCells.literal(type, value);
  }

  /** Returns registers for a cell. */
  public Cell newCell() {
    return new Cell(k.register(registers), counts() ? k.register(PtxType.B32) : null);
  }

  /** Returns registers for {@code count} cells. */
  public List<Cell> newCells(int count) {
    return Stream.generate(this::newCell).limit(count).toList();
  }

  /** Returns a reduction over nothing yet. */
  public Cell start() {
    Register count = counts() ? k.b32("mov.u32", 0) : null;
    return new Cell(constant(neutral()), count);
  }

  /** Returns a new register that holds {@code value}. */
  public Register constant(Literal value) {
    return k.make(registers, move(), value);
  }

  /** Returns the instruction that sets a cell's register. */
  public String move() {
    return "mov." + registers.declaration();
  }

  /** Makes the value of a cell neutral unless the cell counts; for a count, makes it 1 or 0. */
  public void neutralise(Cell cell) {
    neutralise(cell.value(), cell);
  }

  /** Returns {@code cell} with its value neutral unless the cell counts; for a count, 1 or 0. */
  public Cell neutralised(Cell cell) {
    return new Cell(neutralise(k.register(registers), cell), cell.count());
  }

  private Register neutralise(Register result, Cell cell) {
    boolean ones = what.reduction() == Reduction.COUNT;
    Register there = k.test("setp.ne.u32", cell.count(), 0);
    String select = "selp." + registers.declaration();
    k.put(select, result, ones ? literal(1) : cell.value(), ones ? literal(0) : neutral(), there);
    return result;
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
    } else if (what.accuracy() != Accuracy.EXACT) {
      k.put("fma.rn." + suffix, sum.value(), cell.value(), weight, sum.value());
    } else {
      Register product = k.make(registers, "mul.rn." + suffix, cell.value(), weight);
      k.put("add.rn." + suffix, sum.value(), sum.value(), product);
    }
  }

  /**
   * Returns a reduction of the first tap alone. The sum of 0.0 and the tap differs from the tap
   * only where that is -0.0, which {@link #finish} makes up for; the sign of a zero on the way
   * changes no later sum.
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
      case SUM, MEAN, COUNT, WEIGHTED_SUM -> k.put(PtxCells.add(type), result, earlier, later);
      case MIN, MAX -> {
        if (type.isFloating()) {
          // The hardware's min and max do not do: they order -0.0 before 0.0, and drop NaN.
          k.put("selp." + suffix, result, later, earlier, takesLater(earlier, later));
        } else {
          String choose = what.reduction() == Reduction.MIN ? "min." : "max.";
          k.put(choose + suffix, result, earlier, later);
        }
      }
    }
  }

  /**
   * Returns whether the later of two floating-point cells is the least, or the greatest: it is only
   * if it sorts strictly first.
   */
  public Register takesLater(Register earlier, Register later) {
    boolean least = what.reduction() == Reduction.MIN;
    // NaN is the greatest: a NaN that came earlier gives way to anything for the least value, and a
    // NaN that comes later wins for the greatest.
    Register doubtful = least ? earlier : later;
    Register isNan = k.test("setp.nan." + suffix, doubtful, doubtful);
    String compare = least ? "setp.lt.or." : "setp.gt.or.";
    return k.test(compare + suffix, later, earlier, isNan);
  }

  /** Tells whether results depend on the order of cells by the sign of a zero. */
  public boolean zerosDiffer() {
    boolean chooses = what.reduction() == Reduction.MIN || what.reduction() == Reduction.MAX;
    return chooses && type.isFloating();
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
    return k.make(registers, PtxCells.add(type), sum, PtxCells.literal(type, 0));
  }

  /** Divides a mean by its own count, and puts 0 where nothing counted. */
  private Register finishCounted(Cell sum) {
    return switch (what.reduction()) {
      case COUNT -> sum.value();
      case SUM, WEIGHTED_SUM -> withoutNegativeZero(sum.value());
      case MIN, MAX -> orZero(sum.value(), k.test("setp.ne.u32", sum.count(), 0));
      case MEAN -> {
        Register something = k.test("setp.ne.u32", sum.count(), 0);
        Register atLeastOne = k.b32("max.u32", sum.count(), 1);
        Register divisor = k.make(registers, "cvt.rn." + suffix + ".u32", atLeastOne);
        Register dividend = withoutNegativeZero(sum.value());
        yield orZero(k.make(registers, "div.rn." + suffix, dividend, divisor), something);
      }
    };
  }

  /** Returns {@code value} where {@code there} holds, else 0. */
  public Register orZero(Register value, Register there) {
    return k.make(registers, "selp." + registers.declaration(), value, literal(0), there);
  }

  /** Returns the validity of each result, or null in a kernel without nulls. */
  public List<Register> validity(List<Cell> sums) {
    return counts() ? sums.stream().map(this::validity).toList() : null;
  }

  /** Returns 1 where a result is there and 0 where it is null, from what counted. */
  private Register validity(Cell sum) {
    return switch (what.reduction()) {
      case COUNT -> k.b32("mov.u32", 1);
      case WEIGHTED_SUM -> {
        Register all = k.test("setp.eq.u32", sum.count(), what.width());
        yield k.b32("selp.u32", 1, 0, all);
      }
      default -> k.b32("min.u32", sum.count(), 1);
    };
  }
}
