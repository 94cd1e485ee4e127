/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.catalyst.arrays.ArrayProjectMetrics;
import io.sparkstencil.spark.catalyst.arrays.ProgramRowWriter;
import io.sparkstencil.spark.catalyst.arrays.TaskPrograms;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.programs.ProgramBatch;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.Tuple2;
import scala.collection.immutable.Seq;

/**
 * What every task does with its tiles and their rims: programs run over a tile with its
 * surroundings, and the cells of the tile are the results.
 *
 * @param input how tiles are read
 * @param columns what comes out, with nulls in place of results
 * @param programs what is computed
 * @param conf options as the query sees them
 * @param metrics what is counted
 */
record TileTask(
    TileInput input,
    Seq<Expression> columns,
    List<TileProgram> programs,
    StencilConf conf,
    ArrayProjectMetrics metrics)
    implements Serializable {
  /** What waiting rows may take beside their tiles. */
  private static final long MOST_BYTES = 16L << 20;

  /** A program, and the column of its results. */
  record TileProgram(int ordinal, ProgramOperation operation) implements Serializable {}

  /** Returns the rows with their results, lazily and in order. */
  Iterator<InternalRow> run(Iterator<InternalRow> rows, Iterator<Tuple2<Long, byte[]>> rims) {
    Results results = new Results(rows, new TileRims(rims));
    ScalaInterop.onCompletion(TaskContext.get(), results.running::count);
    return results;
  }

  /** A row that waits for its results; without entries, they are null. */
  private record Waiting(
      UnsafeRow others, TileRims.Rim rim, int rows, int width, List<ProgramBatch.Entry> entries) {}

  private final class Results implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final TileRims rims;
    private final TileInput.Reader reader = input.reader();
    private final UnsafeProjection others;
    private final TaskPrograms running = new TaskPrograms(conf, metrics);
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final ProgramRowWriter writer = new ProgramRowWriter(columns.size());
    private final int cellBytes = input.cellBytes();

    Results(Iterator<InternalRow> rows, TileRims rims) {
      this.rows = rows;
      this.rims = rims;
      others = UnsafeProjection.create(columns, input.attributes());
      others.initialize(TaskContext.getPartitionId());
      ElementType type = cellBytes == Float.BYTES ? ElementType.F32 : ElementType.F64;
      for (TileProgram program : programs) {
        running.add(program.operation(), type);
      }
    }

    @Override
    public boolean hasNext() {
      boolean more = !waiting.isEmpty() || rows.hasNext();
      if (!more) {
        rims.requireAllTaken();
      }
      return more;
    }

    @Override
    public InternalRow next() {
      if (waiting.isEmpty()) {
        fill();
      }
      Waiting row = waiting.remove();
      metrics.rows().add(1);
      writer.begin(row.others());
      for (int i = 0; i < row.entries().size(); i++) {
        write(row, row.entries().get(i), programs.get(i).ordinal());
      }
      return writer.row();
    }

    private void fill() {
      if (!rows.hasNext()) {
        throw new NoSuchElementException();
      }
      running.clear();
      long bytes = 0;
      boolean more = true;
      while (more) {
        Waiting row = read(rows.next());
        bytes += row.others().getSizeInBytes();
        // before the next row is asked for, which may take the memory of this one
        more = bytes < MOST_BYTES && !running.isFull();
        UnsafeRow kept = more ? row.others().copy() : row.others();
        waiting.add(new Waiting(kept, row.rim(), row.rows(), row.width(), row.entries()));
        more = more && rows.hasNext();
      }
      running.run();
    }

    private Waiting read(InternalRow row) {
      TileKey key = reader.key(row);
      List<UnsafeArrayData> tile = reader.tile(row, key);
      if (tile == null) {
        return new Waiting(others.apply(row), null, 0, 0, List.of());
      }
      TileRims.Rim rim = rims.take(key.row().getBytes());
      if (TileStrips.check(tile, input.reach(), cellBytes) != rim.check()) {
        throw TileRims.notTwice();
      }
      int width = TileStrips.width(tile);
      List<ProgramBatch.Entry> entries = new ArrayList<>();
      for (ProgramBatch batch : running.batches()) {
        ProgramBatch.Entry entry = batch.add(new Extent(List.of(rim.rows(), rim.columns())));
        put(entry, tile, width, rim);
        entries.add(entry);
        running.addCells((long) tile.size() * width);
      }
      return new Waiting(others.apply(row), rim, tile.size(), width, entries);
    }

    /** Copies a tile and its surroundings into a batch. */
    private void put(
        ProgramBatch.Entry entry, List<UnsafeArrayData> tile, int width, TileRims.Rim rim) {
      long covered = (long) tile.size() * width;
      for (byte[] piece : rim.pieces()) {
        TilePiece head = TilePiece.of(piece);
        covered += (long) head.rows() * head.columns();
      }
      if (covered < (long) rim.rows() * rim.columns()) {
        markMissing(entry, tile.size(), width, rim);
      }
      for (int i = 0; i < tile.size(); i++) {
        UnsafeArrayData row = tile.get(i);
        int to = (rim.row() + i) * rim.columns() + rim.column();
        long from = row.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes(width);
        TilePiece.write(row.getBaseObject(), from, width, entry, to, cellBytes);
        if (TilePiece.hasNulls(row)) {
          for (int x = 0; x < width; x++) {
            if (row.isNullAt(x)) {
              entry.setMissing(0, to + x);
            }
          }
        }
      }
      for (byte[] piece : rim.pieces()) {
        TilePiece.of(piece).write(piece, entry, cellBytes);
      }
    }

    /** Says which cells no tile has. */
    private void markMissing(ProgramBatch.Entry entry, int rows, int width, TileRims.Rim rim) {
      boolean[] there = new boolean[entry.extent().cells()];
      List<TilePiece> pieces = new ArrayList<>(rim.pieces().stream().map(TilePiece::of).toList());
      pieces.add(new TilePiece(rim.row(), rim.column(), rows, width));
      for (TilePiece piece : pieces) {
        for (int i = 0; i < piece.rows(); i++) {
          int from = (piece.row() + i) * rim.columns() + piece.column();
          Arrays.fill(there, from, from + piece.columns(), true);
        }
      }
      for (int i = 0; i < there.length; i++) {
        if (!there[i]) {
          entry.setMissing(0, i);
        }
      }
    }

    private void write(Waiting tile, ProgramBatch.Entry entry, int ordinal) {
      int start = writer.cursor();
      int all = writer.beginRows(tile.rows());
      float[] missing = entry.missing(0);
      for (int i = 0; i < tile.rows(); i++) {
        int at = writer.cursor();
        int cell = (tile.rim().row() + i) * tile.rim().columns() + tile.rim().column();
        long offset = TilePiece.offset(entry, cell, cellBytes);
        int row = writer.addCells(entry.cells(0), offset, tile.width(), cellBytes);
        for (int x = 0; missing != null && x < tile.width(); x++) {
          if (missing[entry.at() + cell + x] > 0) {
            writer.setNull(row, tile.width(), x, cellBytes);
          }
        }
        writer.setRow(all, tile.rows(), i, at);
      }
      writer.setColumn(ordinal, start);
    }
  }
}
