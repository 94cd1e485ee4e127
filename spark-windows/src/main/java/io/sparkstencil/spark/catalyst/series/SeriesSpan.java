/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.TextMemory;

/** A range of one series that has been collected, with rows beside its own. */
public final class SeriesSpan implements OrderedSeries {
  private final SeriesColumns rows;
  private final UnitCounts counts;
  private final long skipped;
  private final boolean looksBack;
  private SeriesReader reader;
  private SeriesReader framed; // where frames begin

  /**
   * Begins before the series.
   *
   * @param rows all of them, once they are there
   * @param counts how many of them are own ones
   * @param skipped how many of the first rows no frame needs
   * @param looksBack whether Spark looks at the frames of rows before the own ones
   */
  public SeriesSpan(SeriesColumns rows, UnitCounts counts, long skipped, boolean looksBack) {
    this.rows = rows;
    this.counts = counts;
    this.skipped = skipped;
    this.looksBack = looksBack;
  }

  @Override
  public boolean nextSeries() {
    if (counts.own() == 0 || !rows.nextSeries()) {
      return false;
    }
    reader = rows.reader();
    reader.skip(skipped);
    framed = reader.copy();
    reader.skip(counts.before() - skipped);
    reader.limit(counts.own());
    return true;
  }

  @Override
  public SeriesReader reader() {
    return reader;
  }

  @Override
  public FramedRows framed() {
    return new FramedRows(framed, Math.toIntExact(counts.before() - skipped), looksBack);
  }

  @Override
  public TextMemory texts() {
    return rows.texts();
  }
}
