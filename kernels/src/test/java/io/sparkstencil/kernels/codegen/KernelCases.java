/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Stencils that between them reach every generator and every threshold of the selector. */
public final class KernelCases {
  static final int[] WIDTHS = {
    1, 2, 3, 5, 9, 10, 11, 12, 17, 33, 34, 51, 65, 66, 129, 257, 513, 1025, 2049, 4097, 9001,
    70_001, 1_000_001
  };

  private static final int MAX_WEIGHTS = 20_000;

  private KernelCases() {}

  /** Returns the reductions that kernels of a type have: means of integers are computed in F64. */
  public static List<Reduction> reductions(ElementType type) {
    return Stream.of(Reduction.values())
        .filter(reduction -> type.isFloating() || reduction != Reduction.MEAN)
        .toList();
  }

  /** Returns every reduction, accuracy and type at {@code width}, without and with nulls. */
  public static List<FlatStencil> ofWidth(int width) {
    List<FlatStencil> cases = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      for (Reduction reduction : reductions(type)) {
        for (Accuracy accuracy : Accuracy.values()) {
          if (reduction == Reduction.WEIGHTED_SUM && width > MAX_WEIGHTS) {
            continue;
          }
          for (boolean nullable : new boolean[] {false, true}) {
            for (int skew = 0; skew < 16 / type.bytes(); skew++) {
              cases.add(of(reduction, width, type, accuracy, nullable, skew));
            }
          }
        }
      }
    }
    return cases;
  }

  /** Returns one stencil; weights, if any, are small integers. */
  public static FlatStencil of(
      Reduction reduction,
      int width,
      ElementType type,
      Accuracy accuracy,
      boolean nullable,
      int skew) {
    Weights weights = Weights.NONE;
    if (reduction == Reduction.WEIGHTED_SUM) {
      double[] values = new double[width];
      for (int i = 0; i < width; i++) {
        values[i] = i % 7 - 3;
      }
      weights = Weights.of(values);
    }
    return new FlatStencil(reduction, width, weights, type, accuracy, nullable, skew);
  }

  /** Returns the stencil with weights, if it has any, that take all bits of the type. */
  public static FlatStencil withFractions(FlatStencil what) {
    if (what.reduction() != Reduction.WEIGHTED_SUM || !what.type().isFloating()) {
      return what;
    }
    double[] values = new Random(what.width()).doubles(what.width(), -1, 1).toArray();
    return new FlatStencil(
        what.reduction(),
        what.width(),
        Weights.of(values),
        what.type(),
        what.accuracy(),
        what.nullable(),
        what.skewCells());
  }
}
