/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.Buffers;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import scala.collection.Iterator;

/**
 * The frames from a row to the last of the series. All rows are gone through twice: at first,
 * blocks of them are aggregated, from which follows what comes after each block; then the rows of
 * one block after the other, from the last of a block to its first. Of one thread.
 */
final class RestFrame {
  private static final int BLOCK = 256;

  private final DataType[] types;
  private final Object[] none; // the buffers of no rows
  private final MutableProjection update;
  private final MutableProjection merge;
  private final UnsafeProjection packing;
  private final UnsafeProjection evaluate;
  private final JoinedRow joined = new JoinedRow();
  private final List<UnsafeRow> after = new ArrayList<>(); // each block
  private final UnsafeRow[] rows = new UnsafeRow[BLOCK];
  private final UnsafeRow[] rests = new UnsafeRow[BLOCK]; // the buffers from each row on
  private Iterator<UnsafeRow> input;
  private int block; // the next
  private int at; // of the next row in its block
  private int size; // of this block
  private UnsafeRow beyond; // the buffers of the rows after these

  RestFrame(RestSpec spec) {
    this.types = spec.buffers().types();
    this.none = Buffers.values(spec.none(), types, 0, types.length);
    this.update = spec.update();
    this.merge = spec.merge();
    this.packing = UnsafeProjection.create(types);
    this.evaluate =
        UnsafeProjection.create(
            ScalaInterop.seq(spec.evaluate()), ScalaInterop.seq(spec.buffers().columns()));
  }

  /**
   * Begins with all rows of a series, or of a part of it.
   *
   * @param all the rows, which are gone through twice
   * @param rest the buffers of the rows after these
   */
  void prepare(Supplier<Iterator<UnsafeRow>> all, InternalRow rest) {
    aggregateBlocks(all.get());
    beyond = packing.apply(rest).copy();
    UnsafeRow buffers = beyond;
    for (int i = after.size() - 1; i >= 0; i--) {
      SpecificInternalRow joining = buffer(after.get(i));
      after.set(i, buffers);
      merge.target(joining).apply(joined.apply(joining, buffers));
      buffers = packing.apply(joining).copy();
    }
    input = all.get();
    block = 0;
    at = 0;
    size = 0;
  }

  private void aggregateBlocks(Iterator<UnsafeRow> all) {
    after.clear();
    SpecificInternalRow buffer = null;
    for (int i = 0; all.hasNext(); i++) {
      if (i % BLOCK == 0) {
        if (buffer != null) {
          after.add(packing.apply(buffer).copy());
        }
        buffer = Buffers.of(types, none);
        update.target(buffer);
      }
      update.apply(joined.apply(buffer, all.next()));
    }
    if (buffer != null) {
      after.add(packing.apply(buffer).copy());
    }
  }

  private SpecificInternalRow buffer(InternalRow values) {
    return Buffers.of(types, Buffers.values(values, types, 0, types.length));
  }

  /** Tells whether there is a next row. */
  boolean hasNext() {
    return at < size || input.hasNext();
  }

  /** Returns the next row, which there is until the next block of rows is read. */
  UnsafeRow peek() {
    if (at == size) {
      readBlock();
    }
    return rows[at];
  }

  /** Moves past a row that was peeked at, whose results are not wanted. */
  void skip() {
    at++;
  }

  /** Returns the results of the next row, or those of no row if there is none. */
  UnsafeRow peekResults() {
    if (!hasNext()) {
      return evaluate.apply(beyond);
    }
    peek();
    return evaluate.apply(rests[at]);
  }

  private void readBlock() {
    size = 0;
    while (size < BLOCK && input.hasNext()) {
      rows[size++] = input.next().copy();
    }
    at = 0;
    UnsafeRow rest = after.get(block++);
    SpecificInternalRow buffer = Buffers.of(types, none);
    for (int i = size - 1; i >= 0; i--) {
      for (int k = 0; k < types.length; k++) {
        buffer.update(k, none[k]);
      }
      update.target(buffer).apply(joined.apply(buffer, rows[i]));
      merge.target(buffer).apply(joined.apply(buffer, rest));
      rest = packing.apply(buffer).copy();
      rests[i] = rest;
    }
  }
}
