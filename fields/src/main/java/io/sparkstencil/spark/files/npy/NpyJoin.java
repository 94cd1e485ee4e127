/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.StoredFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins the files of boxes to the cells of an array. Each part has its cells in the order of the
 * array, so each is read once from its start, and only those are open whose rows are being written.
 */
final class NpyJoin {
  private static final int BUFFER_BYTES = 1 << 18;

  private final StoredFile folder;
  private final List<Long> shape;
  private final int cellBytes;
  private final List<NpyPart> parts;

  private NpyJoin(StoredFile folder, NpyHeader header, List<NpyPart> parts) {
    this.folder = folder;
    this.shape = header.shape();
    this.cellBytes = header.format().type().bytes();
    this.parts = parts;
  }

  /** Finds the parts in a folder, in the order of their last axis. */
  static NpyJoin of(StoredFile folder, NpyHeader header) {
    int last = header.shape().size() - 1;
    List<NpyPart> parts =
        folder.list().stream()
            .flatMap(file -> NpyPart.of(file).stream())
            .sorted(Comparator.comparing(part -> part.box().start(last)))
            .toList();
    return new NpyJoin(folder, header, parts);
  }

  /**
   * Writes all cells in order.
   *
   * @throws FieldFileException if a row is not made of parts without gaps and overlaps
   */
  void writeTo(OutputStream out) throws IOException {
    Map<NpyPart, InputStream> open = new HashMap<>();
    try {
      long rows = 1;
      for (int axis = 0; axis < shape.size() - 1; axis++) {
        rows *= shape.get(axis);
      }
      byte[] buffer = new byte[BUFFER_BYTES];
      for (long row = 0; row < rows; row++) {
        writeRow(position(row), out, open, buffer);
      }
    } finally {
      for (InputStream each : open.values()) {
        each.close();
      }
    }
  }

  /** Returns the position along all axes but the last. */
  private List<Long> position(long row) {
    List<Long> position = new ArrayList<>();
    long rest = row;
    for (int axis = shape.size() - 2; axis >= 0; axis--) {
      position.add(0, rest % shape.get(axis));
      rest /= shape.get(axis);
    }
    return position;
  }

  private void writeRow(
      List<Long> position, OutputStream out, Map<NpyPart, InputStream> open, byte[] buffer)
      throws IOException {
    int last = shape.size() - 1;
    long end = 0;
    for (NpyPart part : parts) {
      if (!crosses(part, position)) {
        continue;
      }
      requireNext(part.box().start(last), end, position);
      InputStream in = open.get(part);
      if (in == null) {
        in = new BufferedInputStream(part.file().open(), BUFFER_BYTES);
        open.put(part, in);
      }
      copy(part, in, (long) part.box().size(last) * cellBytes, out, buffer);
      end = part.box().end(last);
      if (isLastRow(part, position)) {
        open.remove(part);
        in.close();
      }
    }
    requireNext(shape.get(last), end, position);
  }

  private static boolean crosses(NpyPart part, List<Long> position) {
    for (int axis = 0; axis < position.size(); axis++) {
      long at = position.get(axis);
      if (at < part.box().start(axis) || at >= part.box().end(axis)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLastRow(NpyPart part, List<Long> position) {
    for (int axis = 0; axis < position.size(); axis++) {
      if (position.get(axis) != part.box().end(axis) - 1) {
        return false;
      }
    }
    return true;
  }

  private void requireNext(long start, long end, List<Long> position) {
    if (start != end) {
      throw FieldFileException.wrongCall(
          "cells %d to %d of the row at %s were written %s, in %s; write each cell in one box"
              .formatted(
                  Math.min(start, end),
                  Math.max(start, end) - 1,
                  position,
                  start > end ? "by no task" : "in two boxes",
                  folder));
    }
  }

  private static void copy(
      NpyPart part, InputStream in, long bytes, OutputStream out, byte[] buffer)
      throws IOException {
    for (long left = bytes; left > 0; ) {
      int got = in.readNBytes(buffer, 0, (int) Math.min(buffer.length, left));
      if (got == 0) {
        throw FieldFileException.broken(
            "%s is shorter than its box; run the job again".formatted(part.file()));
      }
      out.write(buffer, 0, got);
      left -= got;
    }
  }
}
