/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.NoSuchElementException;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Makes rows of columns: a block of rows at a time, one column of it after the other. Each row is
 * valid until the next is asked for.
 *
 * @param schema the columns
 * @param batches counts the batches; null if nobody wants to know
 * @param rows counts the rows; null if nobody wants to know
 */
public record ColumnRows(StructType schema, SQLMetric batches, SQLMetric rows)
    implements PartitionEvaluatorFactory<ColumnarBatch, InternalRow> {
  private static final long serialVersionUID = 1L;

  /** Rows of a block, which the cache of a core holds. */
  private static final int BLOCK_ROWS = 512;

  /** Bytes of rows with texts from which on a block is full. */
  private static final int MOST_BLOCK_BYTES = 1 << 17;

  /** Returns rows of columns. */
  public static RDD<InternalRow> of(StructType schema, RDD<ColumnarBatch> columns) {
    return columns.mapPartitionsWithEvaluator(
        () -> (index, inputs) -> of(schema, inputs.apply(0)), ScalaInterop.tag(InternalRow.class));
  }

  /** Returns rows of batches, in a task that counts them by itself. */
  public static Iterator<InternalRow> of(StructType schema, Iterator<ColumnarBatch> batches) {
    return new ColumnRows(schema, null, null).new Rows(batches);
  }

  @Override
  public PartitionEvaluator<ColumnarBatch, InternalRow> createEvaluator() {
    return (partition, inputs) -> new Rows(inputs.apply(0));
  }

  private final class Rows extends AbstractIterator<InternalRow> {
    private final Iterator<ColumnarBatch> input;
    private final int nullBytes = UnsafeRow.calculateBitSetWidthInBytes(schema.size());
    private final int rowBytes = nullBytes + schema.size() * Long.BYTES; // but for texts
    private final BlockTexts texts = BlockTexts.of(schema, BLOCK_ROWS, rowBytes); // or null
    private byte[] block = new byte[BLOCK_ROWS * rowBytes];
    private final UnsafeRow row = new UnsafeRow(schema.size());
    private ColumnarBatch batch;
    private int inBatch; // rows of the batch that are in this block or were in one before
    private int inBlock; // rows of this block
    private int at; // the next row of the block
    private boolean hasNullBits; // whether null bits of the block are set
    private long[] words = new long[0]; // of columns whose values are read one by one

    Rows(Iterator<ColumnarBatch> input) {
      this.input = input;
    }

    @Override
    public boolean hasNext() {
      while (at == inBlock) {
        if (batch != null && inBatch < batch.numRows()) {
          fill();
        } else if (input.hasNext()) {
          batch = input.next();
          inBatch = 0;
          Cancellation.ask();
          if (batches != null) {
            batches.add(1);
            rows.add(batch.numRows());
          }
        } else {
          return false;
        }
      }
      return true;
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      row.pointTo(block, start(at), texts == null ? rowBytes : texts.bytes(at));
      at++;
      return row;
    }

    private void fill() {
      try {
        fill(Math.min(BLOCK_ROWS, batch.numRows() - inBatch));
      } catch (ArithmeticException failure) {
        fill(1); // those before the row that fails may be all that the consumer wants
      }
    }

    private void fill(int most) {
      inBlock = most;
      at = 0;
      if (texts != null) {
        inBlock = texts.layOut(batch, inBatch, inBlock, MOST_BLOCK_BYTES);
        block = block.length < texts.bytes() ? new byte[texts.bytes()] : block;
        hasNullBits = true; // or other bytes, as rows begin elsewhere
      }
      if (hasNullBits) {
        for (int offset = 0; offset < nullBytes; offset += Long.BYTES) {
          clear(offset);
        }
        hasNullBits = false;
      }
      for (int field = 0; field < schema.size(); field++) {
        ColumnVector column = batch.column(field);
        DataType type = Texts.stored(schema.apply(field).dataType());
        if (!Texts.liesApart(type)) {
          write(column, type, nullBytes + field * Long.BYTES);
        }
        if (ColumnValues.mayHaveNulls(column)) {
          writeNulls(column, field);
        }
      }
      if (texts != null) {
        texts.write(block, inBlock, nullBytes);
      }
      inBatch += inBlock;
    }

    private void clear(int offset) {
      int rows = texts == null ? BLOCK_ROWS : inBlock;
      for (int i = 0; i < rows; i++) {
        put(i, offset, 0);
      }
    }

    private void writeNulls(ColumnVector column, int field) {
      for (int i = 0; i < inBlock; i++) {
        if (column.isNullAt(inBatch + i)) {
          row.pointTo(block, start(i), rowBytes); // as far as it matters here
          row.setNullAt(field); // and its word to 0
          hasNullBits = true;
        }
      }
    }

    private void write(ColumnVector column, DataType type, int offset) {
      if (!ColumnValues.isOurs(column) && ColumnValues.mayHaveNulls(column)) {
        writeAtOnce(column, type, offset);
        return;
      }
      WordType word = WordType.kept(type);
      switch (word) {
        case LONG -> writeLongs(column, type, offset);
        case DOUBLE -> {
          for (int i = 0; i < inBlock; i++) {
            put(i, offset, Double.doubleToRawLongBits(column.getDouble(inBatch + i)));
          }
        }
        case FLOAT -> {
          for (int i = 0; i < inBlock; i++) {
            int bits = Float.floatToRawIntBits(column.getFloat(inBatch + i));
            put(i, offset, bits & word.mask());
          }
        }
        case INT -> {
          for (int i = 0; i < inBlock; i++) {
            put(i, offset, column.getInt(inBatch + i) & word.mask());
          }
        }
        case SHORT, BYTE, BOOLEAN -> {
          int[] ints = ColumnValues.ints(column, type, inBatch, inBlock);
          for (int i = 0; i < inBlock; i++) {
            put(i, offset, ints[i] & word.mask());
          }
        }
      }
    }

    /** Writes values some of which are null, and something in place of those. */
    private void writeAtOnce(ColumnVector column, DataType type, int offset) {
      if (!ColumnValues.canBeReadAtOnce(column)) {
        words = ColumnValues.readEach(column, type, inBatch, inBlock, words);
        for (int i = 0; i < inBlock; i++) {
          put(i, offset, words[i]);
        }
        return;
      }
      WordType word = WordType.kept(type);
      switch (word) {
        case LONG -> {
          long[] longs = ColumnValues.longs(column, type, inBatch, inBlock);
          for (int i = 0; i < inBlock; i++) {
            put(i, offset, longs[i]);
          }
        }
        case DOUBLE -> {
          double[] doubles = column.getDoubles(inBatch, inBlock);
          for (int i = 0; i < inBlock; i++) {
            put(i, offset, Double.doubleToRawLongBits(doubles[i]));
          }
        }
        case FLOAT -> {
          float[] floats = column.getFloats(inBatch, inBlock);
          for (int i = 0; i < inBlock; i++) {
            put(i, offset, Float.floatToRawIntBits(floats[i]) & word.mask());
          }
        }
        case INT, SHORT, BYTE, BOOLEAN -> {
          int[] ints = ColumnValues.ints(column, type, inBatch, inBlock);
          for (int i = 0; i < inBlock; i++) {
            put(i, offset, ints[i] & word.mask());
          }
        }
      }
    }

    private void writeLongs(ColumnVector column, DataType type, int offset) {
      if (type instanceof DecimalType) {
        long[] longs = ColumnValues.longs(column, type, inBatch, inBlock);
        for (int i = 0; i < inBlock; i++) {
          put(i, offset, longs[i]);
        }
        return;
      }
      for (int i = 0; i < inBlock; i++) {
        put(i, offset, column.getLong(inBatch + i));
      }
    }

    private long start(int i) {
      return Platform.BYTE_ARRAY_OFFSET + (texts == null ? (long) i * rowBytes : texts.start(i));
    }

    private void put(int i, int offset, long word) {
      Platform.putLong(block, start(i) + offset, word);
    }
  }
}
