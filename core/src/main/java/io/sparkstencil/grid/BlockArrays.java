/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramArrays;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The cells of a block and its halo on the heap: one array per field, of the extended box. Not safe
 * for several threads.
 */
public final class BlockArrays {
  private final ElementType type;
  private final ExtendedBlock place;
  private final List<Object> arrays = new ArrayList<>();

  /** Creates arrays of zeros. */
  public BlockArrays(ElementType type, ExtendedBlock place, int fields) {
    this.type = type;
    this.place = place;
    for (int field = 0; field < fields; field++) {
      arrays.add(type.newArray(place.extended().cells()));
    }
  }

  /** Returns the type of the cells. */
  public ElementType type() {
    return type;
  }

  /** Returns the block and its halo. */
  public ExtendedBlock place() {
    return place;
  }

  /** Returns the bytes of all arrays. */
  public long bytes() {
    return (long) place.extended().cells() * type.bytes() * arrays.size();
  }

  /** Returns the arrays as a program runs on them; they are not copied. */
  public ProgramArrays forProgram() {
    return new ProgramArrays(type, place.extended().extent(), arrays, place.placement());
  }

  /** Returns the array of a field, with the halo; not copied. */
  public Object array(int field) {
    return arrays.get(field);
  }

  /** Sets the block's cells of a field, from an array of its own box. */
  public void load(int field, Object cells) {
    CellBoxes.copy(cells, place.own(), arrays.get(field), place.extended(), place.own());
  }

  /** Returns a copy of the cells of a field in a box inside the block. */
  public Object cells(int field, Box box) {
    Object cells = type.newArray(box.cells());
    CellBoxes.copy(arrays.get(field), place.extended(), cells, box, box);
    return cells;
  }

  /** Copies the block's own cells to their images in its halo. */
  public void fillOwnImages() {
    for (HaloPart part : place.partsOf(place.block())) {
      for (Object array : arrays) {
        Object cells = type.newArray(part.from().cells());
        CellBoxes.copy(array, place.extended(), cells, part.from(), part.from());
        CellBoxes.copy(cells, part.to(), array, place.extended(), part.to());
      }
    }
  }

  /**
   * Returns what this block gives to another: the parts of that one's halo, field by field.
   *
   * @param first the first field
   * @param end the field after the last
   */
  public ByteBuffer pack(ExtendedBlock target, int first, int end) {
    List<HaloPart> parts = target.partsOf(place.block());
    long bytes = HaloPlan.cells(parts) * (end - first) * type.bytes();
    ByteBuffer packed = CellBoxes.buffer(Math.toIntExact(bytes));
    for (HaloPart part : parts) {
      for (int field = first; field < end; field++) {
        CellBoxes.pack(arrays.get(field), place.extended(), part.from(), packed);
      }
    }
    return packed.flip();
  }

  /** Fills the parts of the halo that another block has from what {@link #pack} gave there. */
  public void unpack(int source, int first, int end, ByteBuffer packed) {
    ByteBuffer ordered = CellBoxes.ordered(packed);
    for (HaloPart part : place.partsOf(source)) {
      for (int field = first; field < end; field++) {
        CellBoxes.unpack(ordered, arrays.get(field), place.extended(), part.to());
      }
    }
  }
}
