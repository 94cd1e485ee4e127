/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.WholeSeries;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;

/** The frames of some windows that go to the last row of the series. Of one thread. */
final class RestFrames {
  private final List<RestSpec> specs;
  private final List<RestFrame> frames;
  private final List<DataType> types = new ArrayList<>();
  private final SpecificInternalRow values;

  RestFrames(List<RestSpec> specs) {
    this.specs = specs;
    this.frames = specs.stream().map(RestFrame::new).toList();
    for (RestSpec spec : specs) {
      spec.results().forEach(each -> types.add(each.dataType()));
    }
    this.values = new SpecificInternalRow(ScalaInterop.seq(types));
  }

  /** Returns the columns of {@link #values}. */
  List<Attribute> columns() {
    return specs.stream().flatMap(spec -> spec.results().stream()).toList();
  }

  /**
   * Begins with all rows of a series, or of a part of it.
   *
   * @param rests the buffers of the rows after these, for each of the specs
   */
  void prepare(WholeSeries rows, List<InternalRow> rests) {
    for (int i = 0; i < frames.size(); i++) {
      frames.get(i).prepare(rows::rows, rests.get(i));
    }
  }

  /** Moves to the next row. */
  void move() {
    int ordinal = 0;
    for (RestFrame each : frames) {
      UnsafeRow results = each.next();
      for (int i = 0; i < results.numFields(); i++) {
        DataType type = types.get(ordinal);
        values.update(ordinal++, results.isNullAt(i) ? null : results.get(i, type));
      }
    }
  }

  /** Returns the results of the current row, which the next call overwrites. */
  InternalRow values() {
    return values;
  }
}
