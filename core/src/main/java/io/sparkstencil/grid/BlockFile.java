/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The cells of a block that waits in a file between supersteps. They are on the heap {@link
 * #inMemory} only, which reads and writes the whole file in its order. What neighbours need lies in
 * the file packed as they take it, and so does what they have given, until the next superstep: an
 * exchange of halos reads and writes no more than faces.
 *
 * <p>Faces are of all updated fields, or of all others. The latter are written when cells are
 * loaded, and the first time that they are {@link #inMemory}.
 */
public final class BlockFile implements BlockFields {
  private final ElementType type;
  private final ExtendedBlock place;
  private final int fields;
  private final int updated;
  private final CellFile file;
  private final long ownBytes;
  private final long bytes; // where a copy goes

  /** Where faces begin, by the blocks that they come from. */
  private final Map<Integer, Long> taken = new TreeMap<>();

  /** Where faces begin, by the blocks that they go to. */
  private final Map<Integer, Long> given = new TreeMap<>();

  private final Map<Integer, ExtendedBlock> takers = new TreeMap<>();
  private final Set<Face> filled = new LinkedHashSet<>();
  private boolean written;
  private volatile boolean copied;

  /** What the halo has of some fields of another block. */
  private record Face(int giver, int first, int end) {}

  /**
   * Creates a file of zeros.
   *
   * @param path where no file is; it is deleted when this is closed
   * @param updated the number of updated fields, which are the first
   * @param keyBits of the key that it is encrypted with, 0 if it is not
   */
  public BlockFile(Path path, FacePlan plan, int block, int updated, int keyBits) {
    this.type = plan.type();
    this.place = plan.extended(block);
    this.fields = plan.fields();
    this.updated = updated;
    ownBytes = (long) place.own().cells() * type.bytes();
    long end = fields * ownBytes;
    for (int giver : place.givers()) {
      taken.put(giver, end);
      end += faceBytes(place, giver) * fields;
    }
    for (int taker : plan.takers(block)) {
      ExtendedBlock there = plan.extended(taker);
      takers.put(taker, there);
      given.put(taker, end);
      end += faceBytes(there, block) * fields;
    }
    bytes = end;
    file = new CellFile(path, keyBits);
  }

  /** Returns the bytes of a face of one field. */
  private long faceBytes(ExtendedBlock taker, int giver) {
    return FacePlan.cells(taker.partsOf(giver)) * type.bytes();
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
    return 0;
  }

  @Override
  public long deviceBytes() {
    return 0;
  }

  @Override
  public long diskBytes() {
    return copied ? bytes + ownBytes : bytes;
  }

  @Override
  public void inMemory(Consumer<BlockFields> work) {
    BlockArrays arrays = read();
    work.accept(arrays);
    write(arrays, written ? updated : fields);
  }

  private BlockArrays read() {
    return read(() -> {});
  }

  private BlockArrays read(Runnable closed) {
    BlockArrays arrays = new BlockArrays(type, place, fields, closed);
    if (written) {
      for (int field = 0; field < fields; field++) {
        file.read(field * ownBytes, type, arrays.array(field), place.extended(), place.own());
      }
      arrays.fillOwnImages(0, fields);
      for (Face face : filled) {
        long length = faceBytes(place, face.giver());
        ByteBuffer packed =
            file.read(
                taken.get(face.giver()) + face.first() * length,
                Math.toIntExact((face.end() - face.first()) * length));
        arrays.unpack(face.giver(), face.first(), face.end(), packed);
      }
    }
    return arrays;
  }

  /**
   * Returns the cells on the heap, with what the halo has; the file is of no use then, and can be
   * closed.
   *
   * @param closed is told when they are closed
   * @return nothing if the file has a copy of a field that may still be read
   */
  public Optional<BlockFields> lift(Runnable closed) {
    return copied ? Optional.empty() : Optional.of(read(closed));
  }

  /** Writes the first fields: those that are updated, or all of them. */
  private void write(BlockArrays arrays, int end) {
    for (int field = 0; field < end; field++) {
      file.write(field * ownBytes, type, arrays.array(field), place.extended(), place.own());
    }
    for (ExtendedBlock taker : takers.values()) {
      give(arrays, taker, 0, updated);
      if (end > updated) {
        give(arrays, taker, updated, fields);
      }
    }
    written = true;
  }

  private void give(BlockArrays arrays, ExtendedBlock taker, int first, int end) {
    long at = given.get(taker.block()) + first * faceBytes(taker, place.block());
    file.write(at, arrays.pack(taker, first, end));
  }

  @Override
  public void load(int field, Box box, Object cells) {
    BlockArrays arrays = read();
    arrays.load(field, box, cells);
    write(arrays, fields);
  }

  @Override
  public Object cells(int field, Box box) {
    Object own = own(field * ownBytes);
    if (box.equals(place.own())) {
      return own;
    }
    Object cells = type.newArray(box.cells());
    CellBoxes.copy(own, place.own(), cells, box, box);
    return cells;
  }

  private Object own(long at) {
    Object cells = type.newArray(place.own().cells());
    file.read(at, type, cells, place.own(), place.own());
    return cells;
  }

  @Override
  public Supplier<Object> copy(int field) {
    file.write(bytes, type, own(field * ownBytes), place.own(), place.own());
    copied = true;
    return () -> own(bytes);
  }

  /** Does nothing: images are made of the block's cells when these are read. */
  @Override
  public void fillOwnImages(int first, int end) {}

  @Override
  public ByteBuffer pack(ExtendedBlock taker, int first, int end) {
    long length = faceBytes(taker, place.block());
    return file.read(
        given.get(taker.block()) + first * length, Math.toIntExact((end - first) * length));
  }

  @Override
  public void unpack(int giver, int first, int end, ByteBuffer packed) {
    file.write(taken.get(giver) + first * faceBytes(place, giver), packed);
    filled.add(new Face(giver, first, end));
  }

  @Override
  public FacePath take(BlockFields giver, int first, int end) {
    int block = giver.place().block();
    unpack(block, first, end, giver.pack(place, first, end));
    return FacePath.HEAP;
  }

  @Override
  public void step(ParameterValues parameters, int steps, HostRunner host) {
    inMemory(arrays -> arrays.step(parameters, steps, host));
  }

  @Override
  public double[] values(List<FieldCell> cells) {
    return read().values(cells);
  }

  @Override
  public void add(List<FieldCell> cells, double[] values) {
    inMemory(arrays -> arrays.add(cells, values));
  }

  @Override
  public void close() {
    file.delete();
  }
}
