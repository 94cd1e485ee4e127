/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * One stencil of the kernel suite.
 *
 * @param operation how results files call the reduction
 * @param radius cells to each side of the current one
 * @param what the stencil over the flat array
 */
record KernelWork(String operation, int radius, FlatStencil what) {
  /** Returns the suite for one type and radius. */
  static List<KernelWork> all(ElementType type, int radius) {
    List<KernelWork> works = new ArrayList<>();
    works.add(of("mean", Reduction.MEAN, Accuracy.EXACT, type, radius));
    works.add(of("mean", Reduction.MEAN, Accuracy.FAST, type, radius));
    works.add(of("sum", Reduction.SUM, Accuracy.FAST, type, radius));
    works.add(of("min", Reduction.MIN, Accuracy.EXACT, type, radius));
    works.add(of("max", Reduction.MAX, Accuracy.EXACT, type, radius));
    works.add(of("weighted", Reduction.WEIGHTED_SUM, Accuracy.EXACT, type, radius));
    works.add(of("weighted", Reduction.WEIGHTED_SUM, Accuracy.FAST, type, radius));
    return works;
  }

  private static KernelWork of(
      String operation, Reduction reduction, Accuracy accuracy, ElementType type, int radius) {
    int width = 2 * radius + 1;
    Weights weights =
        reduction == Reduction.WEIGHTED_SUM
            ? Weights.of(new Random(width).doubles(width, -1, 1).toArray())
            : Weights.NONE;
    return new KernelWork(
        operation, radius, new FlatStencil(reduction, width, weights, type, accuracy, false, 0));
  }

  /** Returns the row name: {@code kernel/mean/exact/f32/k=8}. */
  String name() {
    return "kernel/%s/%s/%s/k=%d"
        .formatted(
            operation,
            what.accuracy().name().toLowerCase(Locale.ROOT),
            what.type().name().toLowerCase(Locale.ROOT),
            radius);
  }
}
