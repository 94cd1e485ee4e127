/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.netcdf;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellPacking;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.ShortText;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.CfAttributes;
import io.sparkstencil.spark.files.cells.FileArray;
import io.sparkstencil.spark.files.cells.FlatCells;
import io.sparkstencil.spark.files.cells.NetcdfFill;
import io.sparkstencil.spark.files.cells.RecordCells;
import io.sparkstencil.spark.files.cells.StoredCells;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import io.sparkstencil.spark.files.netcdf.NetcdfHeader.Variable;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;

/** Opens variables in NetCDF files of the classic formats. */
public final class NetcdfFile {
  private static final int FIRST_BYTES = 64 << 10;
  private static final int MOST_HEADER_BYTES = 16 << 20;
  private static final int MOST_NAMES = 20;

  private NetcdfFile() {}

  /**
   * Opens a variable.
   *
   * @param file what begins as a file of the classic formats does
   * @param name of the variable
   * @param raw whether the numbers are read as they are stored
   * @throws FieldFileException if there is no such variable, or one that fields cannot be read from
   */
  public static FileArray open(StoredFile file, String name, boolean raw, Configuration hadoop) {
    long bytes = file.length().orElseThrow(file::missing);
    FSDataInputStream in = file.open();
    try {
      ChunkBytes all = ChunkBytes.of(in, bytes);
      NetcdfHeader header = header(all);
      Variable variable = header.variable(name).orElseThrow(() -> noVariable(file, name, header));
      return array(file, header, variable, raw, all, in);
    } catch (IOException | RuntimeException e) {
      try {
        in.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e instanceof IOException
          ? FieldFileException.broken(
              "%s cannot be read: %s; is the file broken?".formatted(file, e.getMessage()), e)
          : (RuntimeException) e;
    }
  }

  /** Reads the header, of which nobody says how long it is. */
  private static NetcdfHeader header(ChunkBytes file) throws IOException {
    for (int bytes = FIRST_BYTES; ; bytes *= 8) {
      int read = (int) Math.min(Math.min(bytes, MOST_HEADER_BYTES), file.length());
      try {
        return NetcdfHeader.read(file.read(0, read).slice());
      } catch (BufferUnderflowException e) {
        if (read == file.length() || bytes >= MOST_HEADER_BYTES) {
          throw new IOException("its header does not end within %d bytes".formatted(read), e);
        }
      }
    }
  }

  private static FileArray array(
      StoredFile file,
      NetcdfHeader header,
      Variable variable,
      boolean raw,
      ChunkBytes bytes,
      FSDataInputStream in)
      throws IOException {
    String name = file + "/" + variable.name();
    if (variable.text()) {
      throw FieldFileException.unsupported(
          "%s has cells that are characters; name a variable of numbers".formatted(name));
    }
    List<Long> shape =
        new ArrayList<>(variable.axes().stream().map(NetcdfHeader.Axis::length).toList());
    long recordBytes = variable.isRecord() ? header.recordBytes() : 0;
    long available = bytes.length() - variable.begin();
    if (variable.isRecord()) {
      shape.set(0, header.records(bytes.length()));
    }
    FieldChecks.requireStored(shape, name);
    long needed = variable.bytes();
    if (variable.isRecord()) {
      long before = shape.get(0) - 1;
      needed =
          before > (Long.MAX_VALUE - needed) / recordBytes
              ? Long.MAX_VALUE
              : before * recordBytes + needed;
    }
    if (variable.begin() < 0 || available < needed) {
      throw FieldFileException.broken(
          "%s needs %d bytes from byte %d on, and the file has %d; was it copied whole?"
              .formatted(name, needed, variable.begin(), bytes.length()));
    }
    CellFormat format = new CellFormat(variable.type(), true);
    return new FileArray(
        new FileArray.Facts(
            name,
            List.copyOf(shape),
            variable.axes().stream().map(NetcdfHeader.Axis::name).toList(),
            variable.attributes(),
            Optional.empty(),
            (axis, first, count) -> Optional.empty()),
        raw ? CellPacking.none(variable.type()) : packing(name, variable),
        cells(variable, shape, recordBytes, bytes, format),
        in);
  }

  private static CellPacking packing(String name, Variable variable) {
    boolean said = variable.attributes().containsKey(CfAttributes.FILL);
    return new CfAttributes(name, variable.type(), variable.attributes())
        .packing(said ? Optional.empty() : NetcdfFill.of(variable.type()));
  }

  private static StoredCells cells(
      Variable variable, List<Long> shape, long recordBytes, ChunkBytes bytes, CellFormat format) {
    if (!variable.isRecord()) {
      return new FlatCells(bytes, variable.begin(), List.copyOf(shape), format);
    }
    List<Long> first = new ArrayList<>(shape);
    first.set(0, 1L);
    return new RecordCells(
        new FlatCells(bytes, variable.begin(), List.copyOf(first), format), recordBytes);
  }

  private static FieldFileException noVariable(StoredFile file, String name, NetcdfHeader header) {
    List<String> names =
        header.variables().values().stream()
            .filter(each -> !each.text())
            .map(Variable::name)
            .limit(MOST_NAMES)
            .toList();
    String missing =
        name.isEmpty() ? "" : "there is no %s/%s: ".formatted(file, ShortText.of(name));
    return FieldFileException.wrongCall(
        names.isEmpty()
            ? "%s%s has no variables of numbers".formatted(missing, file)
            : "%s%s has the variables %s; name one of them, such as %s/%s"
                .formatted(
                    missing, file, names, file, FieldChecks.inPath(names.get(names.size() - 1))));
  }
}
