/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.pipeline.ItemCells;
import io.sparkstencil.pipeline.ShortSeries;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Consecutive rows of a task on their way through the pipelines.
 *
 * @param <P> what the caller keeps for the rows
 */
public final class SeriesChunk<P> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final P payload; // serializable, where a chunk is to be serialized
  private final int rows;
  private final List<Run> runs;
  private final CellColumn[] columns;
  private final List<List<Segment<Void>>> segments = new ArrayList<>();

  /**
   * A run of rows of one series.
   *
   * @param from its first row in the chunk
   * @param length its rows
   * @param before cells before it for each staged column, or null at the start of its series
   * @param after cells after it for each staged column, or null at the end of its series
   */
  record Run(int from, int length, List<Halo> before, List<Halo> after) implements Serializable {}

  SeriesChunk(P payload, int rows, List<Run> runs, CellColumn[] columns) {
    this.payload = payload;
    this.rows = rows;
    this.runs = runs;
    this.columns = columns;
  }

  /** Returns the same rows, without results; the cells are shared. */
  public <Q> SeriesChunk<Q> with(Q other) {
    return new SeriesChunk<>(other, rows, runs, columns);
  }

  /** Returns what the caller keeps for the rows. */
  public P payload() {
    return payload;
  }

  /** Returns the number of rows. */
  public int rows() {
    return rows;
  }

  /** Returns the number of runs of rows of one series each. */
  public int runs() {
    return runs.size();
  }

  /** Returns the number of rows of such a run; runs follow each other without gaps. */
  public int runLength(int run) {
    return runs.get(run).length();
  }

  /** Returns the rows of the longest series, or {@link ShortSeries#ANY_LENGTH} if one is cut. */
  int longestSeries() {
    int longest = 0;
    for (Run run : runs) {
      if (run.before() != null || run.after() != null) {
        return ShortSeries.ANY_LENGTH;
      }
      longest = Math.max(longest, run.length());
    }
    return longest;
  }

  /** Returns the bytes of its columns. */
  public long bytes() {
    return Arrays.stream(columns).mapToLong(CellColumn::bytes).sum();
  }

  /** Returns a staged column, of which the first {@link #rows} cells belong to this chunk. */
  public CellColumn column(int index) {
    return columns[index];
  }

  /** Returns the segment of such a run, with its results once the chunk has come back. */
  public Segment<Void> segment(int pipeline, int run) {
    return segments.get(pipeline).get(run);
  }

  /**
   * Makes the segments of all pipelines, which keep their results, and adds those of stencils.
   *
   * @param cells takes the segments that are staged; null if there are no stencils
   */
  void addTo(ItemCells cells, StagePlan plan, SeriesHalos halos) {
    int longest = halos.longestSeries(this);
    for (int p = 0; p < plan.pipelines().size(); p++) {
      StagePlan.Pipeline pipeline = plan.pipelines().get(p);
      CellColumn column = columns[pipeline.column()];
      List<Segment<Void>> ofPipeline = new ArrayList<>(runs.size());
      for (Run run : runs) {
        Segment<Void> segment =
            new Segment<>(
                null,
                column.array(),
                column.validity(),
                run.from(),
                run.length(),
                run.before() == null ? halos.left(p) : run.before().get(pipeline.column()),
                run.after() == null ? halos.right(p) : run.after().get(pipeline.column()),
                Math.max(1, pipeline.specs().size()));
        ofPipeline.add(segment);
        if (pipeline instanceof StagePlan.Frames) {
          cells.add(p, segment, longest);
        }
      }
      segments.add(ofPipeline);
    }
  }
}
