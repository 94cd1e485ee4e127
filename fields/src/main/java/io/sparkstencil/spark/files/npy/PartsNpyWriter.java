/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.StoredFile;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Writes each box into a file of its own, for file systems that cannot write in the middle of a
 * file. The commit joins the boxes in the order of the array.
 *
 * @param target the path of the array's file
 * @param folder the path of the hidden folder of the boxes' files
 * @param header the array's header
 */
record PartsNpyWriter(String target, String folder, NpyHeader header) implements FieldWriter {
  private static final int BUFFER_BYTES = 1 << 20;

  static PartsNpyWriter begin(StoredFile target, NpyHeader header) {
    StoredFile folder = target.hidden("parts");
    folder.makeFolder();
    return new PartsNpyWriter(target.toString(), folder.toString(), header);
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
    StoredFile part = StoredFile.of(folder, hadoop).child(NpyPart.name(box));
    int cellBytes = header.format().type().bytes();
    int most = (int) Math.min(BUFFER_BYTES / cellBytes, (long) box.cells());
    part.writeFromTask(
        out -> {
          ByteBuffer buffer = ByteBuffer.allocate(most * cellBytes);
          for (int done = 0; done < box.cells(); done += most) {
            buffer.clear();
            header.format().encode(cells, done, Math.min(most, box.cells() - done), buffer);
            out.write(buffer.array(), 0, buffer.position());
          }
        });
  }

  @Override
  public void commit(Configuration hadoop) {
    StoredFile parts = StoredFile.of(folder, hadoop);
    NpyJoin join = NpyJoin.of(parts, header);
    StoredFile.of(target, hadoop)
        .writeWhole(
            out -> {
              out.write(header.bytes());
              join.writeTo(out);
            });
    parts.delete();
  }

  @Override
  public void abort(Configuration hadoop) {
    StoredFile.of(folder, hadoop).delete();
  }
}
