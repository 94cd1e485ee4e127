/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.lines;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Several steps of a one-dimensional program. A warp reads a tile of cells into registers, computes
 * all steps there, and writes the cells that depend on the tile alone. Cells of neighbouring lanes
 * come by shuffles.
 *
 * <p>Where every step computes all fields at once, the tile moves on in each step by as many cells
 * as the program reads before a cell. A cell is then read from itself and those behind it alone,
 * takes the register of the one that nobody reads any more, and steps can be a loop.
 */
final class LineStream implements FusedKernel {
  /** Bytes of one access to global memory. */
  static final int CHUNK_BYTES = 16;

  private static final int LANES = 32;

  /**
   * How cells are computed.
   *
   * @param steps steps in a pass
   * @param cells neighbouring cells that a lane owns, a power of two, in whole chunks of 16 bytes
   * @param warps warps of a block
   */
  record Shape(int steps, int cells, int warps) {}

  private final ProgramTraits traits;
  private final ElementType type;
  private final Shape shape;
  private final Levels levels;
  private final boolean moves;

  LineStream(ProgramTraits traits, ElementType type, Shape shape) {
    this.traits = traits;
    this.type = type;
    this.shape = shape;
    levels = new Levels(traits, shape.steps());
    int chunk = CHUNK_BYTES / type.bytes();
    moves =
        traits.stages().size() == 1
            && traits.program().parameters().isEmpty()
            && inputs().stream().allMatch(traits.program()::updates)
            && levels.before(0) % chunk == 0;
  }

  @Override
  public int steps() {
    return shape.steps();
  }

  Shape shape() {
    return shape;
  }

  ProgramTraits traits() {
    return traits;
  }

  ElementType type() {
    return type;
  }

  Levels levels() {
    return levels;
  }

  /** Returns whether the tile moves on in each step. */
  boolean moves() {
    return moves;
  }

  @Override
  public List<Integer> inputs() {
    return levels.inputs();
  }

  @Override
  public List<Integer> outputs() {
    return levels.outputs();
  }

  /** Returns the cells of a tile. */
  int tileCells() {
    return LANES * shape.cells();
  }

  /** Returns the cells of a tile, as it is read, before its first result. */
  int marginBefore() {
    int chunk = CHUNK_BYTES / type.bytes();
    return (levels.before(0) + chunk - 1) / chunk * chunk;
  }

  /** Returns the cells of a tile, as it is at the end, before its first result. */
  int firstResult() {
    return moves ? 0 : marginBefore();
  }

  /** Returns the results of a tile; none or fewer if the margins fill it. */
  int validCells() {
    int chunk = CHUNK_BYTES / type.bytes();
    int cells = tileCells() - marginBefore() - levels.after(0);
    return Math.floorDiv(cells, chunk) * chunk;
  }

  /** Returns the bytes of shared memory through which a warp reads and writes. */
  int sharedBytesOfWarp() {
    return LANES * laneBytes();
  }

  /** Returns the bytes between the cells of neighbouring lanes in shared memory. */
  int laneBytes() {
    // a chunk more than the cells: lanes then use different banks
    return shape.cells() * type.bytes() + CHUNK_BYTES;
  }

  @Override
  public GeneratedKernel generate() {
    String entry =
        "line_%s_t%d_c%d_w%d"
            .formatted(
                type.name().toLowerCase(Locale.ROOT), shape.steps(), shape.cells(), shape.warps());
    return new GeneratedKernel(
        entry,
        new LineWriter(this).write(entry),
        LANES * shape.warps(),
        validCells() * shape.warps(),
        0,
        sharedBytesOfWarp() * shape.warps(),
        List.of(),
        null);
  }

  @Override
  public Optional<Span> results(Layout layout) {
    int chunk = CHUNK_BYTES / type.bytes();
    int end = (layout.sizes().get(0) - levels.after(0)) / chunk * chunk;
    if (validCells() <= 0 || end - marginBefore() < validCells()) {
      return Optional.empty();
    }
    return Optional.of(new Span(List.of(marginBefore()), List.of(end)));
  }

  @Override
  public Launch launch(Layout layout, Span results, int resident) {
    int first = results.low().get(0);
    int end = results.high().get(0);
    int tiles = (end - first + validCells() - 1) / validCells();
    return new Launch((tiles + shape.warps() - 1) / shape.warps(), 1, List.of(first, end, tiles));
  }

  @Override
  public String toString() {
    return "line " + shape;
  }
}
