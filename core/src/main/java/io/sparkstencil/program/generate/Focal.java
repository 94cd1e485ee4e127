/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static io.sparkstencil.program.Expression.constant;
import static io.sparkstencil.program.Expression.select;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Weights;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Summaries of the cells in a box around each cell that leave out missing cells, which are NaN. A
 * result is NaN where all cells of its box are missing. Cells are taken in the order of their
 * offsets, slowest axis first.
 *
 * <pre>{@code
 * StencilProgram despeckled =
 *     StencilProgram.of(
 *         2,
 *         builder -> {
 *           Field u = builder.field("u");
 *           builder.update(u, Focal.median(u, 1));
 *         });
 * }</pre>
 */
public final class Focal {
  /** As many cells as a sorted box has at most; its comparisons are operations of the program. */
  private static final int MOST_SORTED = 121;

  /** As many cells as the operations of a program suffice for. */
  private static final int MOST_CELLS = 625;

  private static final int MOST_WEIGHTED = 529;
  private static final int MOST_SQUARED = 361;

  /** What a summary takes of a box: all of its cells, and one for each that is there. */
  private record FocalBox(List<Expression> cells, List<Expression> weights) {
    static FocalBox of(Field field, int radius, int mostCells) {
      long side = 2L * radius + 1;
      double count = Math.pow(side, field.dimensions());
      if (radius < 0 || count > mostCells) {
        throw new InvalidStencilException(
            radius < 0
                ? "radius %d is below 0; use 0 or more cells on each side".formatted(radius)
                : "radius %d has boxes of %.0f cells, more than %d; use a smaller one"
                    .formatted(radius, count, mostCells));
      }
      List<Expression> cells = new ArrayList<>();
      int[] offset = new int[field.dimensions()];
      for (int cell = 0; cell < (int) count; cell++) {
        int rest = cell;
        for (int axis = offset.length - 1; axis >= 0; axis--) {
          offset[axis] = (int) (rest % side) - radius;
          rest = (int) (rest / side);
        }
        cells.add(field.at(offset));
      }
      return new FocalBox(cells, cells.stream().map(each -> constant(1)).toList());
    }

    /** Returns the sum of what each cell that is there adds, times its weight. */
    Expression sum(List<Expression> added) {
      Expression sum = null;
      for (int i = 0; i < cells.size(); i++) {
        Expression cell = cells.get(i);
        boolean one = weights.get(i).equals(constant(1));
        Expression share = one ? added.get(i) : weights.get(i).times(added.get(i));
        Expression value = select(cell.equalTo(cell), share, constant(0));
        sum = sum == null ? value : sum.plus(value);
      }
      return sum;
    }

    /** Returns the weights of the cells that are there; of plain boxes, their number. */
    Expression present() {
      return sum(cells.stream().map(each -> constant(1)).toList());
    }

    Expression mean() {
      return sum(cells).over(present());
    }
  }

  private Focal() {}

  /** Returns the mean of the cells that are there. */
  public static Expression mean(Field field, int radius) {
    return FocalBox.of(field, radius, MOST_CELLS).mean();
  }

  /** Returns the sum of the cells that are there. */
  public static Expression sum(Field field, int radius) {
    FocalBox box = FocalBox.of(field, radius, MOST_CELLS);
    Expression present = box.present();
    // 0/0 is NaN, where nothing is there
    Expression sum = box.sum(box.cells());
    return select(present.equalTo(constant(0)), sum.over(present), sum);
  }

  /** Returns the root of the mean square of the differences from the mean: of all, not a sample. */
  public static Expression deviation(Field field, int radius) {
    FocalBox box = FocalBox.of(field, radius, MOST_SQUARED);
    Expression present = box.present();
    Expression mean = box.sum(box.cells()).over(present);
    List<Expression> squares =
        box.cells().stream()
            .map(cell -> cell.minus(mean))
            .map(difference -> difference.times(difference))
            .toList();
    return box.sum(squares).over(present).sqrt();
  }

  /** Returns the least of the cells that are there. */
  public static Expression least(Field field, int radius) {
    return fold(FocalBox.of(field, radius, MOST_CELLS).cells(), Expression::min);
  }

  /** Returns the greatest of the cells that are there. NaN is greater than every number. */
  public static Expression greatest(Field field, int radius) {
    List<Expression> negated =
        FocalBox.of(field, radius, MOST_CELLS).cells().stream().map(Expression::negated).toList();
    return fold(negated, Expression::min).negated();
  }

  private static Expression fold(List<Expression> cells, BinaryOperator<Expression> operation) {
    return cells.stream().reduce(operation).orElseThrow();
  }

  /**
   * Returns a weighted mean of the cells that are there, with the weights of a Gaussian that
   * reaches four standard deviations.
   *
   * @param sigma the standard deviation in cells, above 0
   */
  public static Expression gaussian(Field field, double sigma) {
    Weights line = StandardStencils.gaussian(sigma).weights();
    FocalBox box = FocalBox.of(field, line.size() / 2, MOST_WEIGHTED);
    List<Expression> weights = new ArrayList<>();
    for (int cell = 0; cell < box.cells().size(); cell++) {
      double weight = 1;
      int rest = cell;
      for (int axis = 0; axis < field.dimensions(); axis++) {
        weight *= line.get(rest % line.size());
        rest /= line.size();
      }
      weights.add(constant(weight));
    }
    return new FocalBox(box.cells(), weights).mean();
  }

  /** Returns the median of the cells that are there: of an even number, the mean of the middle. */
  public static Expression median(Field field, int radius) {
    FocalBox box = FocalBox.of(field, radius, MOST_SORTED);
    Expression[] sorted = box.cells().toArray(Expression[]::new);
    sort(sorted); // NaN, the greatest, comes last
    Expression present = box.present();
    Expression median = sorted[0];
    for (int count = 2; count <= sorted.length; count++) {
      Expression low = sorted[(count - 1) / 2];
      Expression high = sorted[count / 2];
      Expression middle = low == high ? low : low.times(0.5).plus(high.times(0.5));
      median = select(present.equalTo(constant(count)), middle, median);
    }
    return median;
  }

  /** Batcher's network of comparisons, which sorts by merging odd and even places. */
  private static void sort(Expression[] values) {
    int count = values.length;
    for (int run = 1; run < count; run *= 2) {
      for (int apart = run; apart >= 1; apart /= 2) {
        for (int from = apart % run; from + apart < count; from += 2 * apart) {
          for (int i = from; i < Math.min(from + apart, count - apart); i++) {
            if (i / (2 * run) == (i + apart) / (2 * run)) {
              Expression low = values[i].min(values[i + apart]);
              values[i + apart] = values[i].max(values[i + apart]);
              values[i] = low;
            }
          }
        }
      }
    }
  }
}
