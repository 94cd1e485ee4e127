/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.Pitched;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.grid.Box;
import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.program.plan.Stored;
import io.sparkstencil.kernels.program.watch.StrayKernel;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies boxes of cells between fields on a device and where they follow one another on the host.
 * The device puts cells of boxes together, and apart, in memory of its own, so that few and long
 * copies cross the link. Used by one thread.
 */
final class BoxCopies implements AutoCloseable {
  private static final long MOST_BYTES = 64 << 20;

  private final CudaStream stream;
  private final int cellBytes;
  private final Box whole;
  private final Object host;
  private final CloseScope owned = new CloseScope();
  private final HostCopies copies;
  private final long staged;
  private final long stagedBytes;
  private final List<Unstaged> pending = new ArrayList<>();
  private long filled;
  private long done;

  /** A part of a box along three axes: how far it is from the first cell, and how large. */
  private record Slice(long plane, long row, long cell, long planes, long rows, long cells) {}

  /** A part that lies in the memory for boxes, and belongs to a field. */
  private record Unstaged(Stored field, Slice part, long address) {}

  /**
   * Leases memory.
   *
   * @param whole the box whose cells the fields have
   * @param host the array, or the bytes, that the cells are copied from or to, from its start
   * @param bytes those of all cells that are to be copied
   */
  BoxCopies(
      ProgramDevice device,
      CudaStream stream,
      ElementType type,
      Box whole,
      Object host,
      long bytes) {
    this.stream = stream;
    this.whole = whole;
    this.host = host;
    cellBytes = type.bytes();
    stagedBytes = Math.min(bytes, Math.min(MOST_BYTES, device.memoryBytes() / 8));
    try {
      staged = owned.add(device.lease(stagedBytes, stream)).buffer().address();
      copies = owned.add(new HostCopies(device, stream, type, stagedBytes));
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  /** Takes the cells of a box for the next ones of the host. */
  void copyOut(Stored field, Box box) {
    Slice all = slice(box);
    for (Slice part = next(all, null); part != null; part = next(all, part)) {
      long bytes = bytes(part);
      if (filled + bytes > stagedBytes) {
        flush();
      }
      stream.copyBox(
          at(field, part),
          dense(part, staged + filled),
          part.cells() * cellBytes,
          part.rows(),
          part.planes());
      filled += bytes;
    }
  }

  /** Waits until all cells are on the host. */
  void finish() {
    flush();
    copies.finish();
  }

  private void flush() {
    if (filled > 0) {
      long cells = filled / cellBytes;
      copies.copyOut(staged, filled, 1, (int) cells, host, done);
      done += cells;
      filled = 0;
    }
  }

  /** Sets the cells of a box to the next ones of the host, after {@link #submit}. */
  void copyIn(Stored field, Box box) {
    Slice all = slice(box);
    for (Slice part = next(all, null); part != null; part = next(all, part)) {
      if (filled + bytes(part) > stagedBytes) {
        submit();
      }
      pending.add(new Unstaged(field, part, staged + filled));
      filled += bytes(part);
    }
  }

  /** Submits the copies to the device that were asked for. */
  void submit() {
    if (filled > 0) {
      long cells = filled / cellBytes;
      copies.copyIn(host, done, 1, (int) cells, staged, filled);
      done += cells;
      filled = 0;
    }
    for (Unstaged each : pending) {
      Slice part = each.part();
      stream.copyBox(
          dense(part, each.address()),
          at(each.field(), part),
          part.cells() * cellBytes,
          part.rows(),
          part.planes());
    }
    pending.clear();
  }

  private Pitched dense(Slice part, long address) {
    return Pitched.dense(address, part.cells() * cellBytes, part.rows());
  }

  /**
   * Copies cells of one field to another on the same device, or to another place in the same one.
   *
   * @param fromWhole the box whose cells {@code from} has
   * @param toWhole the box whose cells {@code to} has
   * @param box what is copied, inside of both
   */
  static void copy(CudaStream stream, Stored from, Box fromWhole, Stored to, Box toWhole, Box box) {
    Slice source = slice(fromWhole, box);
    stream.copyBox(
        at(from, source),
        at(to, slice(toWhole, box)),
        source.cells() * from.cellBytes(),
        source.rows(),
        source.planes());
  }

  /**
   * Copies cells of a field on another device to one on this.
   *
   * @param stream of this device
   * @param peer the context of the other
   */
  static void copyFrom(
      CudaStream stream,
      PrimaryContext peer,
      Stored from,
      Box fromWhole,
      Stored to,
      Box toWhole,
      Box box) {
    Slice source = slice(fromWhole, box);
    stream.copyBoxFrom(
        peer,
        at(from, source),
        at(to, slice(toWhole, box)),
        source.cells() * from.cellBytes(),
        source.rows(),
        source.planes());
  }

  /**
   * Copies the cells of a box to where they follow one another on the same device.
   *
   * @param whole the box whose cells the field has
   * @return the bytes of the cells
   */
  static long gather(CudaStream stream, Stored from, Box whole, Box box, long address) {
    Slice part = slice(whole, box);
    long row = part.cells() * from.cellBytes();
    stream.copyBox(
        at(from, part), Pitched.dense(address, row, part.rows()), row, part.rows(), part.planes());
    return row * part.rows() * part.planes();
  }

  /** Copies cells that follow one another to those of a box, as {@link #gather} found them. */
  static long scatter(CudaStream stream, long address, Stored to, Box whole, Box box) {
    Slice part = slice(whole, box);
    long row = part.cells() * to.cellBytes();
    stream.copyBox(
        Pitched.dense(address, row, part.rows()), at(to, part), row, part.rows(), part.planes());
    return row * part.rows() * part.planes();
  }

  /** Returns the kernel that sums up the stray cells of a box. */
  static StrayKernel strays(ElementType type, double bound, Stored field, Box whole, Box box) {
    Slice part = slice(whole, box);
    return new StrayKernel(
        type,
        bound,
        (int) part.planes(),
        (int) part.rows(),
        (int) part.cells(),
        field.row(),
        field.plane());
  }

  /** Returns the address of the first cell of a box. */
  static long address(Stored field, Box whole, Box box) {
    return at(field, slice(whole, box)).address();
  }

  private Slice slice(Box box) {
    return slice(whole, box);
  }

  private static Slice slice(Box whole, Box box) {
    long[] from = new long[ArrayView.AXES];
    int missing = ArrayView.AXES - box.dimensions();
    for (int axis = 0; axis < box.dimensions(); axis++) {
      from[missing + axis] = box.start(axis) - whole.start(axis);
    }
    List<Integer> sizes = ArrayView.threeAxes(box.extent().sizes(), 1);
    return new Slice(from[0], from[1], from[2], sizes.get(0), sizes.get(1), sizes.get(2));
  }

  private static Pitched at(Stored field, Slice part) {
    long address =
        field.address()
            + part.plane() * field.plane()
            + part.row() * field.row()
            + part.cell() * field.cellBytes();
    return new Pitched(address, field.row(), field.plane());
  }

  private long bytes(Slice part) {
    return part.planes() * part.rows() * part.cells() * cellBytes;
  }

  /** Returns the next part that fits: planes, rows of one plane, or cells of one row. */
  private Slice next(Slice all, Slice last) {
    long planeBytes = all.rows() * all.cells() * cellBytes;
    long rowBytes = all.cells() * cellBytes;
    long plane = last == null ? all.plane() : last.plane();
    long row = last == null ? all.row() : last.row();
    long cell = last == null ? all.cell() : last.cell() + last.cells();
    if (last != null && cell == all.cell() + all.cells()) {
      cell = all.cell();
      row += last.rows();
    }
    if (last != null && row == all.row() + all.rows()) {
      row = all.row();
      plane += last.planes();
    }
    if (plane == all.plane() + all.planes()) {
      return null;
    }
    if (planeBytes <= stagedBytes) {
      long planes = Math.min(stagedBytes / planeBytes, all.plane() + all.planes() - plane);
      return new Slice(plane, all.row(), all.cell(), planes, all.rows(), all.cells());
    }
    if (rowBytes <= stagedBytes) {
      long rows = Math.min(stagedBytes / rowBytes, all.row() + all.rows() - row);
      return new Slice(plane, row, all.cell(), 1, rows, all.cells());
    }
    long cells = Math.min(stagedBytes / cellBytes, all.cell() + all.cells() - cell);
    return new Slice(plane, row, cell, 1, 1, cells);
  }

  /** Gives the memory back when the copies that use it are done. */
  @Override
  public void close() {
    try {
      stream.synchronize();
    } finally {
      owned.close();
    }
  }
}
