/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The fields of a block with its halo, wherever their cells are: on the heap ({@link BlockArrays}),
 * in the memory of a device, where they stay from superstep to superstep, or in a file ({@link
 * BlockFile}). What goes in and out has the same bits and the same order of bytes either way. Used
 * by one thread at a time.
 *
 * <p>Fields on a device may fail with a {@link io.sparkstencil.error.StencilException}; nothing is
 * known of their cells then.
 */
public interface BlockFields extends AutoCloseable {
  /** Runs a program on arrays on the heap. */
  @FunctionalInterface
  interface HostRunner {
    /** Runs a number of steps and replaces the cells of the updated fields. */
    void run(ProgramArrays arrays, ParameterValues parameters, int steps);
  }

  /** Returns the block and its halo. */
  ExtendedBlock place();

  /** Returns the name of the engine that has the fields; empty on the heap, where any runs them. */
  String engine();

  /** Returns the bytes of the fields on the heap. */
  long heapBytes();

  /** Returns the bytes of device memory that the fields take; 0 on the heap. */
  long deviceBytes();

  /** Returns the bytes that the fields take on disk. */
  default long diskBytes() {
    return 0;
  }

  /**
   * Does some work with the cells in memory. Those that wait in a file are read before it and
   * written after it, so what is done one after the other is best done in one call.
   *
   * @param work is given these fields, or what stands for them meanwhile
   */
  default void inMemory(Consumer<BlockFields> work) {
    work.accept(this);
  }

  /**
   * Returns a copy of the block's own cells of a field; where these wait in a file it does, too, in
   * the place of the copy before.
   */
  default Supplier<Object> copy(int field) {
    Object copied = cells(field, place().own());
    return () -> copied;
  }

  /** Sets the block's cells of a field, from an array of its own box. */
  default void load(int field, Object cells) {
    load(field, place().own(), cells);
  }

  /** Sets the cells of a field in a box inside the block, from an array of that box. */
  void load(int field, Box box, Object cells);

  /** Returns a copy of the cells of a field in a box inside the block. */
  Object cells(int field, Box box);

  /**
   * Returns the sum of the block's own stray cells in a field: the same for the same set of them,
   * wherever the cells are, and 0 for none.
   *
   * @param bound the largest number that is no stray cell, one that the cells' type can have
   * @see StrayCells
   */
  default long strays(int field, double bound) {
    long sum = 0;
    int place = 0;
    for (Box piece : place().own().pieces(StrayCells.TOGETHER)) {
      sum += StrayCells.sum(cells(field, piece), piece, piece, place, bound);
      place += piece.cells();
    }
    return sum;
  }

  /**
   * Copies the block's own cells to their images in its halo.
   *
   * @param first the first field
   * @param end the field after the last
   */
  void fillOwnImages(int first, int end);

  /**
   * Returns what this block gives to another: the parts of that one's halo, field by field.
   *
   * @param first the first field
   * @param end the field after the last
   */
  ByteBuffer pack(ExtendedBlock taker, int first, int end);

  /**
   * Fills the parts of the halo that another block has from what {@link #pack} gave there.
   *
   * @param giver the block that gave it
   */
  void unpack(int giver, int first, int end, ByteBuffer packed);

  /**
   * Returns memory for a face that travels, from and to which these fields copy without a detour.
   * Any thread may ask, and it may outlive these fields.
   *
   * @return nothing if they have none, or no more; memory of the heap is as good then
   */
  default Optional<FaceBuffer> lendFace(int bytes) {
    return Optional.empty();
  }

  /**
   * Returns memory in which the faces for another block are kept; the same for the same block.
   *
   * @param taker the other block
   * @param count the number of fields that are given, the first ones
   * @return nothing if these fields have none; the log of the block managers does it then
   */
  default Optional<FaceKeeper> keeper(ExtendedBlock taker, int count) {
    return Optional.empty();
  }

  /** Writes what {@link #pack(ExtendedBlock, int, int)} returns into memory; all is there then. */
  default void pack(ExtendedBlock taker, int first, int end, FaceBuffer packed) {
    packed.bytes().put(pack(taker, first, end));
  }

  /**
   * Fills the parts of the halo that another block has from what {@link #pack} gave there; the
   * memory is not read any more when this returns.
   */
  default void unpack(int giver, int first, int end, FaceBuffer packed) {
    unpack(giver, first, end, packed.bytes());
  }

  /**
   * Fills the parts of the halo that another block has with that one's cells, which stay as they
   * are meanwhile. They are there when this returns. Other threads may do the same with the same
   * giver.
   *
   * @param giver a block of the same process
   * @return how the cells came
   */
  FacePath take(BlockFields giver, int first, int end);

  /**
   * Returns memory in which a block of another process of this host finds its face; the same for
   * the same block. The memory is given back with these fields.
   *
   * @param taker the other block
   * @param count the number of fields that are given, the first ones
   * @param slots the states that are offered at the same time
   * @return nothing if these fields are where no other process can read
   */
  default Optional<SharedFace> share(ExtendedBlock taker, int count, int slots) {
    return Optional.empty();
  }

  /**
   * Fills the parts of the halo that a block of this host has with what it shares. They are there
   * when this returns.
   *
   * @param ticket what {@link SharedFace#ticket} gave there, or a {@link SharedFace.Kept}
   * @param giver the block that shares, in another process, or in this one
   * @param count the number of fields, the first ones
   * @param state the state that is wanted
   * @return whether the memory had that state; if not, those parts of the halo may be anything
   */
  default boolean takeShared(byte[] ticket, int giver, int count, int state) {
    return false;
  }

  /**
   * Takes steps. They are done when this returns.
   *
   * @param parameters the values of the parameters in each of these steps, counted from 0
   * @param host takes the steps of fields on the heap
   */
  void step(ParameterValues parameters, int steps, HostRunner host);

  /** Returns the values of some cells. */
  double[] values(List<FieldCell> cells);

  /**
   * Adds to cells, one after the other; a value is rounded to the type of the cells first.
   *
   * @param values one for each cell; a cell may be there several times
   */
  void add(List<FieldCell> cells, double[] values);

  /** Gives the memory of the fields back; throws nothing, whatever state a device is in. */
  @Override
  void close();
}
