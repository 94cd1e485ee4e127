/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.ElementType;
import java.util.List;

/**
 * One stencil of the kernel suite.
 *
 * @param stencil what is computed
 * @param what the same over the flat array
 */
record KernelWork(LoopWork stencil, FlatStencil what) {
  private static final List<String> OPERATIONS =
      List.of(
          "mean/exact",
          "mean/fast",
          "sum/fast",
          "min/exact",
          "max/exact",
          "weighted/exact",
          "weighted/fast",
          "weighted/fma");

  static KernelWork of(LoopWork stencil) {
    return new KernelWork(stencil, FlatStencil.of(stencil.spec(), 0, false));
  }

  /** Returns the suite for one type, radius by radius. */
  static List<KernelWork> all(ElementType type, List<Integer> radii) {
    return radii.stream()
        .flatMap(k -> OPERATIONS.stream().map(each -> "%s/%s/k=%d".formatted(each, type, k)))
        .map(text -> of(LoopWork.parse(text)))
        .toList();
  }

  /** Returns the row name: {@code kernel/mean/exact/f32/k=8}. */
  String name() {
    return "kernel/" + stencil;
  }
}
