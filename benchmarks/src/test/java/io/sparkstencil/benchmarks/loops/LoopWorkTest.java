/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.loops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.arrays.ArrayStencil;
import java.lang.reflect.Array;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of a benchmark's results: it must accept right ones and see a wrong one. */
final class LoopWorkTest {
  private static final int CELLS = 10_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mean/exact/f32/k=8",
        "mean/fast/f32/k=8",
        "sum/exact/f64/k=3",
        "min/exact/f32/k=8",
        "max/exact/f64/k=1",
        "weighted/exact/f32/k=2048",
        "weighted/exact/f64/k=2",
        "weighted/fma/f32/k=5",
        "weighted/fma/f64/k=64",
      })
  void rightResultsPassAndWrongOnesAreCounted(String text) {
    LoopWork work = LoopWork.parse(text);
    Object cells = work.cells(CELLS, 7);
    Object results = reference(cells.getClass(), work.spec().stencil(), cells);

    assertThat(work.wrong(work.tapByTap(cells), results))
        .as("wrong results of the reference")
        .isZero();

    assertThat(work.wrong(work.tapByTap(cells), work.plain(cells)))
        .as("of the plain loop")
        .isZero();

    int last = Array.getLength(results) - 1;
    for (int at : new int[] {0, last}) {
      double value = Array.getDouble(results, at) + 1;
      if (results instanceof float[] floats) {
        floats[at] = (float) value;
      } else {
        Array.setDouble(results, at, value);
      }
    }
    assertThat(work.wrong(work.tapByTap(cells), results))
        .as("wrong results after two changes")
        .isEqualTo(2);
  }

  private static <A> Object reference(Class<A> arrays, Stencil stencil, Object cells) {
    Iterator<A> series = List.of(arrays.cast(cells)).iterator();
    return ArrayStencil.of(arrays, stencil).withEngine("reference").apply(series).next();
  }
}
