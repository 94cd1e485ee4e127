/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.secret.PrivateFile;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.shuffle.BatchedRows;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.ShuffleWriteMetrics;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.DiskBlockObjectWriter;
import org.apache.spark.storage.TempLocalBlockId;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Rows in order in a file among Spark's, in the batches in which rows are shuffled, compressed and
 * encrypted as Spark's own spills are. The file is deleted when the task ends.
 *
 * @param block the name by which Spark knows the file
 * @param layout of the rows
 * @param bytes of the file
 */
record SpilledRun(TempLocalBlockId block, File file, RowLayout layout, long bytes) {
  private static final int BUFFER_BYTES = 1 << 15;

  /**
   * Writes rows.
   *
   * @throws UncheckedIOException if they cannot be written
   */
  static SpilledRun write(Iterator<InternalRow> rows, SeriesLayout layout, TaskContext context) {
    BlockManager blocks = SparkEnv.get().blockManager();
    Tuple2<TempLocalBlockId, File> place = blocks.diskBlockManager().createTempLocalBlock();
    File file = place._2();
    ScalaInterop.onCompletion(context, file::delete);
    makePrivate(file);
    try (DiskBlockObjectWriter writer =
        blocks.getDiskWriter(
            place._1(), file, serializer(), BUFFER_BYTES, new ShuffleWriteMetrics())) {
      Iterator<InternalRow> batches = ColumnShuffle.batches(rows, layout);
      while (batches.hasNext()) {
        context.killTaskIfInterrupted();
        writer.write(0, batches.next());
      }
      return new SpilledRun(place._1(), file, layout.rows(), writer.commitAndGet().length());
    }
  }

  /** Makes the file, to which Spark appends: Spark would make one that others may read. */
  private static void makePrivate(File file) {
    try {
      PrivateFile.create(file.toPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SerializerInstance serializer() {
    return new UnsafeRowSerializer(0, null).newInstance();
  }

  /** Reads the rows; each is there until the next. */
  Iterator<InternalRow> rows(TaskContext context) {
    InputStream stream;
    try {
      InputStream read = new BufferedInputStream(Files.newInputStream(file.toPath()), BUFFER_BYTES);
      stream = SparkEnv.get().serializerManager().wrapStream(block, read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ScalaInterop.onCompletion(context, () -> close(stream));
    Iterator<InternalRow> batches =
        serializer()
            .deserializeStream(stream)
            .asKeyValueIterator()
            .map(
                batch -> {
                  context.killTaskIfInterrupted();
                  return (InternalRow) batch._2();
                });
    return new BatchedRows(batches, layout);
  }

  private static void close(InputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
