/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.edges;

import io.sparkstencil.spark.catalyst.rows.Emitted;
import io.sparkstencil.spark.catalyst.rows.RowRanges;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.series.OwnRows;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.catalyst.series.SeriesParts;
import io.sparkstencil.spark.conf.SqlOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The rows of series near the cuts, from all splits. Between the head and the tail that a split
 * sends there is a gap, whose rows stayed with the split. The outer rows of heads and tails are own
 * ones, and the inner rows are there for the frames of these.
 *
 * @param edge how many rows heads and tails have
 * @param mark the column of the marks
 */
record EdgeRows(Edge edge, int mark) implements OwnRows {
  @Override
  public SeriesParts<Emitted> parts() {
    return new Parts();
  }

  @Override
  public RowSource of(RowSource all) {
    return new Rows(all);
  }

  /** Cuts a series at its gaps. */
  private final class Parts implements SeriesParts<Emitted> {
    private final RowRanges own = new RowRanges();
    private long read; // rows of all series so far

    @Override
    public long[] begin(SeriesColumns series) {
      long[] marks = series.words(mark);
      List<Long> parts = new ArrayList<>();
      int part = 0; // its first row
      for (int from = 0, until; from < marks.length; from = until) {
        until = from + 1;
        while (until < marks.length && marks[until] == marks[from]) {
          until++;
        }
        EdgeMark kind = EdgeMark.of(marks[from]);
        boolean gap = until < marks.length && EdgeMark.isGap(marks[from], marks[until]);
        boolean afterGap = from > 0 && EdgeMark.isGap(marks[from - 1], marks[from]);
        check(kind, gap, afterGap, until - from);
        switch (kind) {
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
    public Emitted cut(int rows) {
      return own.cut(rows);
    }
  }

  /** Checks that the rows which a split has sent have come together. */
  private void check(EdgeMark kind, boolean gap, boolean afterGap, int rows) {
    boolean whole = kind == EdgeMark.WHOLE;
    if (gap != (kind == EdgeMark.HEAD)
        || afterGap != (kind == EdgeMark.TAIL)
        || (!whole && rows != edge.rows())) {
      throw new IllegalStateException(
          ("rows of a series from several files do not follow one another as the statistics of the"
                  + " files say; set %s=false to read the rows without them")
              .formatted(SqlOptions.FILES_ENABLED.key()));
    }
  }

  /** The same rows, where they do not fit in memory. */
  private final class Rows implements RowSource {
    private final RowSource rows;
    private long last; // mark
    private long run; // rows with this mark, up to the current one
    private boolean gap; // before the current row

    Rows(RowSource rows) {
      this.rows = rows;
    }

    @Override
    public boolean advance() {
      if (!rows.advance()) {
        return false;
      }
      long word = rows.row().getLong(mark);
      boolean starts = rows.startsSeries();
      gap = !starts && run > 0 && EdgeMark.isGap(last, word);
      run = starts || run == 0 || word != last ? 1 : run + 1;
      last = word;
      return true;
    }

    @Override
    public UnsafeRow row() {
      return rows.row();
    }

    @Override
    public Holder holder() {
      return rows.holder();
    }

    @Override
    public boolean startsSeries() {
      return gap || rows.startsSeries();
    }

    @Override
    public boolean isEmitted() {
      return switch (EdgeMark.of(last)) {
        case WHOLE -> true;
        case HEAD -> run <= edge.before();
        case TAIL -> run > edge.rows() - edge.after();
      };
    }
  }
}
