/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The cells of a block and its halo on the heap: one array per field, of the extended box. Not safe
 * for several threads.
 */
public final class BlockArrays implements BlockFields {
  private final ElementType type;
  private final ExtendedBlock place;
  private final List<Object> arrays = new ArrayList<>();
  private final Runnable closed;

  /** Creates arrays of zeros. */
  public BlockArrays(ElementType type, ExtendedBlock place, int fields) {
    this(type, place, fields, () -> {});
  }

  /**
   * Creates arrays of zeros.
   *
   * @param closed is told when the fields are closed
   */
  public BlockArrays(ElementType type, ExtendedBlock place, int fields, Runnable closed) {
    this.type = type;
    this.place = place;
    this.closed = closed;
    for (int field = 0; field < fields; field++) {
      arrays.add(type.newArray(place.extended().cells()));
    }
  }

  @Override
  public ExtendedBlock place() {
    return place;
  }

  @Override
  public String engine() {
    return "";
  }

  @Override
  public long heapBytes() {
    return (long) place.extended().cells() * type.bytes() * arrays.size();
  }

  @Override
  public long deviceBytes() {
    return 0;
  }

  /** Returns the array of a field, which has the cells of the extended box. */
  Object array(int field) {
    return arrays.get(field);
  }

  @Override
  public void load(int field, Box box, Object cells) {
    CellBoxes.copy(cells, box, arrays.get(field), place.extended(), box);
  }

  @Override
  public Object cells(int field, Box box) {
    Object cells = type.newArray(box.cells());
    CellBoxes.copy(arrays.get(field), place.extended(), cells, box, box);
    return cells;
  }

  @Override
  public long strays(int field, double bound) {
    return StrayCells.sum(arrays.get(field), place.extended(), place.own(), 0, bound);
  }

  @Override
  public void fillOwnImages(int first, int end) {
    take(this, first, end);
  }

  @Override
  public FacePath take(BlockFields giver, int first, int end) {
    int block = giver.place().block();
    if (!(giver instanceof BlockArrays there)) {
      PieceByPiece.take(giver, this, first, end);
      return FacePath.HEAP;
    }
    for (HaloPart part : place.partsOf(block)) {
      Box shifted = there.place.extended().shifted(part.shift());
      for (int field = first; field < end; field++) {
        CellBoxes.copy(
            there.arrays.get(field), shifted, arrays.get(field), place.extended(), part.to());
      }
    }
    return FacePath.HEAP;
  }

  @Override
  public ByteBuffer pack(ExtendedBlock taker, int first, int end) {
    List<HaloPart> parts = taker.partsOf(place.block());
    long bytes = FacePlan.cells(parts) * (end - first) * type.bytes();
    ByteBuffer packed = CellBoxes.buffer(Math.toIntExact(bytes));
    for (HaloPart part : parts) {
      for (int field = first; field < end; field++) {
        CellBoxes.pack(arrays.get(field), place.extended(), part.from(), packed);
      }
    }
    return packed.flip();
  }

  @Override
  public void unpack(int giver, int first, int end, ByteBuffer packed) {
    ByteBuffer ordered = CellBoxes.ordered(packed);
    for (HaloPart part : place.partsOf(giver)) {
      for (int field = first; field < end; field++) {
        CellBoxes.unpack(ordered, arrays.get(field), place.extended(), part.to());
      }
    }
  }

  @Override
  public void step(ParameterValues parameters, int steps, HostRunner host) {
    host.run(
        new ProgramArrays(type, place.extended().extent(), arrays, place.placement()),
        parameters,
        steps);
  }

  @Override
  public double[] values(List<FieldCell> cells) {
    return cells.stream().mapToDouble(this::value).toArray();
  }

  private double value(FieldCell cell) {
    return arrays.get(cell.field()) instanceof float[] floats
        ? floats[cell.index()]
        : ((double[]) arrays.get(cell.field()))[cell.index()];
  }

  @Override
  public void add(List<FieldCell> cells, double[] values) {
    for (int i = 0; i < values.length; i++) {
      int index = cells.get(i).index();
      if (arrays.get(cells.get(i).field()) instanceof float[] floats) {
        floats[index] += (float) values[i];
      } else {
        ((double[]) arrays.get(cells.get(i).field()))[index] += values[i];
      }
    }
  }

  /** Tells that the heap is given back, as soon as this is forgotten. */
  @Override
  public void close() {
    closed.run();
  }
}
