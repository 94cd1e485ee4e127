/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.pipeline.ShortSeries;
import io.sparkstencil.segment.Halo;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What lies beside a part of a series that one task works on, for each pipeline of the query. A
 * halo is null where the series starts or ends.
 *
 * @param left cells before the first row for each pipeline
 * @param right cells after the last row for each pipeline
 * @param seriesCells the cells of the whole series, or {@link ShortSeries#ANY_LENGTH}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SeriesHalos(Halo[] left, Halo[] right, int seriesCells) implements Serializable {
  /** Returns halos that say that every series starts and ends within the task. */
  public static SeriesHalos none(int pipelines) {
    return new SeriesHalos(new Halo[pipelines], new Halo[pipelines], ShortSeries.ANY_LENGTH);
  }

  /** Returns the cells of the longest series in a chunk, or {@link ShortSeries#ANY_LENGTH}. */
  int longestSeries(SeriesChunk<?> chunk) {
    boolean areEnds = Stream.of(left, right).flatMap(Arrays::stream).allMatch(Objects::isNull);
    return areEnds ? chunk.longestSeries() : seriesCells;
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
