/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.segment.Halo;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/** What lies beside a part of a series that one task works on, for each pipeline of the query. */
public final class SeriesHalos implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Halo[] left;
  private final Halo[] right;

  /**
   * Creates halos, of which null says that the series starts or ends there.
   *
   * @param left cells before the first row for each pipeline
   * @param right cells after the last row for each pipeline
   */
  public SeriesHalos(Halo[] left, Halo[] right) {
    this.left = left.clone();
    this.right = right.clone();
  }

  /** Returns halos that say that every series starts and ends within the task. */
  public static SeriesHalos none(int pipelines) {
    return new SeriesHalos(new Halo[pipelines], new Halo[pipelines]);
  }

  /** Tells whether every series starts and ends within the task. */
  boolean areEnds() {
    return Stream.of(left, right).flatMap(Arrays::stream).allMatch(Objects::isNull);
  }

  /** Returns the cells before the first row, or null if the series starts there. */
  public Halo left(int pipeline) {
    return left[pipeline];
  }

  /** Returns the cells after the last row, or null if the series ends there. */
  public Halo right(int pipeline) {
    return right[pipeline];
  }
}
