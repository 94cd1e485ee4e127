/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.Runs;
import io.sparkstencil.spark.files.StoredFile;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Writes boxes in place, into a local file under a hidden name that the commit renames.
 *
 * @param target the path of the file
 * @param unfinished the path under which it is written
 * @param header its header
 */
record LocalNpyWriter(String target, String unfinished, NpyHeader header) implements FieldWriter {
  private static final int BUFFER_BYTES = 1 << 20;

  static LocalNpyWriter begin(StoredFile target, NpyHeader header) {
    StoredFile unfinished = target.hidden("tmp");
    unfinished.makeParent();
    LocalNpyWriter writer = new LocalNpyWriter(target.toString(), unfinished.toString(), header);
    try (RandomAccessFile file = new RandomAccessFile(local(unfinished), "rw")) {
      file.write(header.bytes());
      file.setLength(writer.fileBytes());
    } catch (IOException e) {
      unfinished.delete();
      throw FieldFileException.failed("creating", target, e);
    }
    return writer;
  }

  private static File local(StoredFile file) {
    return file.local().orElseThrow().toFile();
  }

  private long fileBytes() {
    long cells = FieldChecks.requireShape(header.shape(), target);
    return header.dataOffset() + cells * header.format().type().bytes();
  }

  @Override
  public ElementType type() {
    return header.format().type().element();
  }

  @Override
  public List<Long> shape() {
    return header.shape();
  }

  @Override
  public void write(Box box, Object cells, Configuration hadoop) {
    FieldChecks.requireInside(box, shape(), target);
    FieldChecks.requireCells(cells, box, type());
    File place = local(StoredFile.of(unfinished, hadoop));
    if (place.length() != fileBytes()) {
      throw FieldFileException.wrongCall(
          ("%s was begun on another machine, or removed; use a folder that all machines share, or a"
                  + " file system such as HDFS")
              .formatted(unfinished));
    }
    Runs runs = new Runs(box, shape());
    try (RandomAccessFile file = new RandomAccessFile(place, "rw")) {
      int cellBytes = header.format().type().bytes();
      byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, (long) runs.length() * cellBytes)];
      for (int run = 0; run < runs.count(); run++) {
        file.seek(header.dataOffset() + runs.start(run) * cellBytes);
        writeRun(file, buffer, cells, run * runs.length(), runs.length());
      }
    } catch (IOException e) {
      throw FieldFileException.failed("writing", target, e);
    }
  }

  private void writeRun(RandomAccessFile file, byte[] buffer, Object cells, int at, int count)
      throws IOException {
    int cellBytes = header.format().type().bytes();
    int most = buffer.length / cellBytes;
    for (int done = 0; done < count; done += most) {
      int part = Math.min(most, count - done);
      header.format().encode(cells, at + done, part, ByteBuffer.wrap(buffer));
      file.write(buffer, 0, part * cellBytes);
    }
  }

  @Override
  public void commit(Configuration hadoop) {
    StoredFile written = StoredFile.of(unfinished, hadoop);
    written.force(); // what all tasks have written into it
    written.renameTo(StoredFile.of(target, hadoop));
  }

  @Override
  public void abort(Configuration hadoop) {
    StoredFile.of(unfinished, hadoop).delete();
  }
}
