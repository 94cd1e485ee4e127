/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import io.sparkstencil.kernels.codegen.program.CountedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.OperationCost;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;
import java.util.Optional;

/**
 * Steps of weighted boxes on tensor cores, with a count of the turns of a scheduler. On an H200,
 * 16384 x 16384 cells, G cells and steps per second (counted): 81 cells 179 (209), where kernels
 * without tensor cores have 146 (169); 121 cells 138 (155), where they have 101 (116).
 */
public final class BoxStreams {
  /** Turns of a scheduler for a product of a matrix of 16 x 4 with one of 4 x 8. */
  private static final int PRODUCT_TURNS = 16;

  /** The part of the turns in which a product runs. */
  private static final double BUSY = 0.85;

  /** The part of copying that is not hidden by computing, or of computing by copying. */
  private static final double EXPOSED = 0.15;

  /** Multiprocessors of an H200. */
  private static final int MULTIPROCESSORS = 132;

  private static final int LANES = 32;

  private BoxStreams() {}

  /** Returns whether tensor cores that fuse could take a program. */
  public static boolean take(ProgramTraits traits, ElementType type) {
    return tile(traits, type).isPresent();
  }

  private static Optional<BoxTile> tile(ProgramTraits traits, ElementType type) {
    return type == ElementType.F64
        ? WeightedBox.of(traits).map(BoxTile::new).filter(BoxTile::fits)
        : Optional.empty();
  }

  /**
   * Returns the kernel for a program that has results in an array, if tensor cores take it. Later
   * devices than H100 and H200 have them at the rate of other units, and earlier ones other shapes.
   */
  public static List<CountedKernel> of(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    boolean multiplies =
        device.matrices().contains(BoxTile.SHAPE)
            && device.computeCapability() == BoxTile.SHAPE.target().architecture();
    return tile(traits, type)
        .filter(tile -> multiplies && tile.sharedBytes() <= device.sharedBytesPerBlock())
        .map(BoxStream::new)
        .flatMap(
            kernel ->
                kernel.results(layout).map(span -> new CountedKernel(kernel, turns(kernel, span))))
        .stream()
        .toList();
  }

  /**
   * Returns an estimate of the turns of a scheduler for a step of 32 cells. In a small array,
   * blocks leave multiprocessors idle, or read many rows besides those of their results.
   */
  private static double turns(BoxStream kernel, FusedKernel.Span results) {
    int resident = MULTIPROCESSORS * BoxTile.RESIDENT_BLOCKS;
    return turns(kernel.tile()) * kernel.lost(results, resident);
  }

  private static double turns(BoxTile tile) {
    double cells = (double) BoxTile.PLACE_ROWS * BoxTile.WARP_COLUMNS / LANES;
    double computes = tile.matrices() * PRODUCT_TURNS / cells / BUSY;
    double copies = 2 * BoxTile.CELL_BYTES * LANES * OperationCost.TURNS_PER_BYTE;
    return Math.max(computes, copies) + EXPOSED * Math.min(computes, copies);
  }
}
