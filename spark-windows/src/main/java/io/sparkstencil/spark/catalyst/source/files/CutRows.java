/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.catalyst.rows.ForwardingRows;
import io.sparkstencil.spark.catalyst.rows.RowRanges;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.series.OwnRows;
import io.sparkstencil.spark.catalyst.series.SeriesBatches;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.conf.SqlOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of series near the cuts, from all splits. Between the head and the tail that a split
 * sends there is a gap, whose rows stayed with the split. The outer rows of heads and tails are own
 * ones, and the inner rows are there for the frames of these.
 *
 * @param edge how many rows heads and tails have
 * @param mark the column of the marks
 */
record CutRows(SplitEdge edge, int mark) implements OwnRows {
  @Override
  public SeriesBatches.Parts<EmittedRows> parts() {
    return new Parts();
  }

  @Override
  public RowSource of(RowSource all) {
    return new Rows(all);
  }

  /** Cuts a series at its gaps. */
  private final class Parts implements SeriesBatches.Parts<EmittedRows> {
    private final RowRanges own = new RowRanges();
    private long read; // rows of all series so far

    @Override
    public long[] begin(SeriesColumns series) {
      long[] marks = series.words(mark);
      List<Long> parts = new ArrayList<>();
      int part = 0; // its first row
      for (int from = 0, until; from < marks.length; from = until) {
        int run = EdgeMark.part(marks[from]);
        until = from + 1;
        while (until < marks.length && EdgeMark.part(marks[until]) == run) {
          until++;
        }
        boolean gap = until < marks.length && EdgeMark.isGap(run, EdgeMark.part(marks[until]));
        boolean afterGap = from > 0 && EdgeMark.isGap(EdgeMark.part(marks[from - 1]), run);
        check(run, until - from, afterGap, gap);
        switch (EdgeMark.of(run)) {
          case WHOLE -> own.add(read + from, read + until);
          case HEAD -> own.add(read + from, read + from + edge.before());
          case TAIL -> own.add(read + until - edge.after(), read + until);
        }
        if (gap) {
          parts.add((long) until - part);
          part = until;
        }
      }
      parts.add((long) marks.length - part);
      read += marks.length;
      return parts.stream().mapToLong(rows -> rows).toArray();
    }

    @Override
    public EmittedRows cut(int rows) {
      return own.cut(rows);
    }
  }

  /**
   * Checks that the rows which a split has sent of a series have come together.
   *
   * @param part what they are
   * @param afterGap whether a gap is before them
   * @param gap whether one is after them
   */
  private void check(int part, int rows, boolean afterGap, boolean gap) {
    EdgeMark kind = EdgeMark.of(part);
    if (gap != (kind == EdgeMark.HEAD)
        || afterGap != (kind == EdgeMark.TAIL)
        || (kind != EdgeMark.WHOLE && rows != edge.rows())) {
      throw new IllegalStateException(
          ("rows of a series from several files do not follow one another as the statistics of the"
                  + " files say; set %s=false to read the rows without them")
              .formatted(SqlOptions.FILES_ENABLED.key()));
    }
  }

  /** The same rows, where they do not fit in memory. */
  private final class Rows extends ForwardingRows {
    private int part;
    private int run; // rows of the part, up to the current one
    private boolean afterGap; // whether the part is
    private boolean starts;

    Rows(RowSource rows) {
      super(rows);
    }

    @Override
    public boolean advance() {
      boolean more = rows.advance();
      boolean newSeries = !more || run == 0 || rows.startsSeries();
      int next = more ? EdgeMark.part(rows.row().getLong(mark)) : part;
      if (!newSeries && next == part) {
        run++;
        starts = false;
        return true;
      }
      boolean gap = !newSeries && EdgeMark.isGap(part, next);
      if (run > 0) {
        check(part, run, afterGap, gap);
      }
      part = next;
      run = more ? 1 : 0;
      afterGap = gap;
      starts = gap || (more && rows.startsSeries());
      return more;
    }

    @Override
    public boolean startsSeries() {
      return starts;
    }

    @Override
    public boolean isEmitted() {
      return switch (EdgeMark.of(part)) {
        case WHOLE -> true;
        case HEAD -> run <= edge.before();
        case TAIL -> run > edge.rows() - edge.after();
      };
    }
  }
}
