/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Which cells blocks give to each other between supersteps. All that one block gives to another is
 * a <i>face</i>; it has the cells of all halo parts of that pair, whatever their shape. A face
 * travels in pieces, which are numbered so that both sides know the numbers without talking.
 *
 * @param blocks the blocks
 * @param reach of the program
 * @param steps the most steps of a superstep
 * @param fields the number of fields
 * @param type the type of the cells
 * @param mostGivers the most blocks that a halo has cells of
 * @param mostCells the most cells of a face
 */
public record FacePlan(
    GridBlocks blocks,
    StepReach reach,
    int steps,
    int fields,
    ElementType type,
    int mostGivers,
    long mostCells)
    implements Serializable {
  /** The bytes of a piece; larger ones are slower per byte through the block manager. */
  public static final int PIECE_BYTES = 8 << 20;

  /** The most bytes of a face that travels, as it is in one array then: whole pieces below 2^31. */
  public static final int MOST_BYTES = Integer.MAX_VALUE / PIECE_BYTES * PIECE_BYTES;

  /** Returns the plan of a grid. */
  public static FacePlan of(
      GridBlocks blocks, StepReach reach, int steps, int fields, ElementType type) {
    int givers = 1;
    long cells = 1;
    for (int block = 0; block < blocks.count(); block++) {
      ExtendedBlock extended = ExtendedBlock.of(blocks, reach, steps, block);
      List<Integer> all = extended.givers();
      givers = Math.max(givers, all.size());
      for (int giver : all) {
        cells = Math.max(cells, cells(extended.partsOf(giver)));
      }
    }
    return new FacePlan(blocks, reach, steps, fields, type, givers, cells);
  }

  /** Returns the most pieces of a face. */
  private int mostPieces() {
    return Math.toIntExact((mostCells * fields * type.bytes() + PIECE_BYTES - 1) / PIECE_BYTES);
  }

  /**
   * Returns the bytes of the largest face: of the fields that steps update, or of the others, which
   * are given once.
   */
  private long largestBytes(int updated) {
    return mostCells * Math.max(updated, fields - updated) * type.bytes();
  }

  /** Returns whether all faces can travel. */
  public boolean travels(int updated) {
    return largestBytes(updated) <= MOST_BYTES;
  }

  /**
   * Refuses faces that cannot travel.
   *
   * @param updated the number of fields that steps update
   */
  public void requireTravelling(int updated) {
    if (!travels(updated)) {
      long fewer = steps * (long) MOST_BYTES / largestBytes(updated);
      throw new InvalidStencilException(
          "blocks of %s cells give each other faces of %d bytes with %d steps per exchange, and at most %d can travel; use more blocks%s"
              .formatted(
                  blocks.blockSizes(),
                  largestBytes(updated),
                  steps,
                  MOST_BYTES,
                  fewer > 0 ? ", or at most %d steps per exchange".formatted(fewer) : ""));
    }
  }

  /** Returns the bytes of a face with a number of fields. */
  public long faceBytes(ExtendedBlock taker, int giver, int faceFields) {
    return cells(taker.partsOf(giver)) * faceFields * type.bytes();
  }

  /** Returns the cells of some parts. */
  public static long cells(List<HaloPart> parts) {
    return parts.stream().mapToLong(part -> part.from().cells()).sum();
  }

  /** Returns a block with its halo. */
  public ExtendedBlock extended(int block) {
    return ExtendedBlock.of(blocks, reach, steps, block);
  }

  /** Returns the other blocks whose halos have cells of a block, in order. */
  public List<Integer> takers(int block) {
    List<Integer> takers = List.of(0);
    int rest = block;
    int stride = blocks.count();
    for (int axis = 0; axis < blocks.dimensions(); axis++) {
      int parts = blocks.parts(axis);
      stride /= parts;
      int own = rest / stride;
      rest %= stride;
      List<Integer> longer = new ArrayList<>();
      for (int taker : takers) {
        for (int part = 0; part < parts; part++) {
          if (reaches(axis, part, own)) {
            longer.add(taker * parts + part);
          }
        }
      }
      takers = longer;
    }
    return takers.stream().filter(taker -> taker != block).toList();
  }

  /** Returns whether the halo of a part of an axis has positions of another part. */
  private boolean reaches(int axis, int part, int giver) {
    if (part == giver) {
      return true;
    }
    long size = blocks.sizes().get(axis);
    int cells = blocks.blockSizes().get(axis);
    long low = (long) part * cells - (long) steps * reach.low().get(axis);
    long high = Math.min((part + 1L) * cells, size) + (long) steps * reach.high().get(axis);
    long first = (long) giver * cells;
    long last = Math.min(first + cells, size);
    if (!reach.periodic().get(axis)) {
      return first < high && last > low;
    }
    // the nearest image at or after the low end
    long image = first + Math.floorDiv(low - last, size) * size + size;
    return image < high && image + last - first > low;
  }

  /** Returns how many numbers the pieces of all faces of one superstep take. */
  public int piecesPerSuperstep() {
    return Math.multiplyExact(Math.multiplyExact(blocks.count(), mostGivers), mostPieces());
  }

  /**
   * Returns the number of the first piece of a face among those of a superstep.
   *
   * @param taker the block whose halo it belongs to
   * @param giver the index of the block that gives it in {@link ExtendedBlock#givers}
   */
  public int firstPiece(int taker, int giver) {
    return (taker * mostGivers + giver) * mostPieces();
  }
}
