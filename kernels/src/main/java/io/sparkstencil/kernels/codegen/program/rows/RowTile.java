/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.Ceiling;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Several steps of a two-dimensional program. A block owns a tile of columns and streams along the
 * rows. Each stage of each step is a level: when a row arrives at a level, the level computes the
 * row that this one completes, which arrives at the next level. The rows that a level still needs
 * stay in registers; cells of neighbouring lanes come by shuffles.
 *
 * <p>Each warp of a block computes some of the levels of the whole tile, and hands rows to the next
 * warp through shared memory. The columns at the ends of a tile are read for the results between
 * them; the more warps share the levels, the wider tiles may be, and the fewer columns are computed
 * twice. Segments of the rows are computed by different blocks.
 *
 * <p>At the ends that it holds, cells outside take their values from registers in each level; there
 * a tile is not read for others, and all its columns are results.
 */
final class RowTile {
  /** Bytes of one access to global memory. */
  static final int CHUNK_BYTES = 16;

  private static final int LANES = 32;

  /**
   * How rows are computed.
   *
   * @param steps steps in a pass
   * @param cells neighbouring cells of a row that a lane owns, in whole chunks of 16 bytes
   * @param ahead rows of the ring in shared memory, into which rows are copied ahead; 0 to load the
   *     next row into registers, for devices that cannot copy asynchronously
   * @param warps warps of a block, each of which computes as many levels
   */
  record Shape(int steps, int cells, int ahead, int warps) {}

  private final ProgramTraits traits;
  private final ElementType type;
  private final Shape shape;
  private final HeldEnds ends;
  private final Levels levels;
  private final List<StageSchedule> schedules;
  private final int marginBefore;
  private final int marginAfter;

  /** Makes a tile that holds the boundary at some ends, or at {@link HeldEnds#NONE}. */
  RowTile(ProgramTraits traits, ElementType type, Shape shape, HeldEnds ends) {
    this.traits = traits;
    this.type = type;
    this.shape = shape;
    this.ends = ends;
    levels = new Levels(traits, shape.steps());
    schedules =
        IntStream.range(0, traits.stages().size())
            .mapToObj(
                s ->
                    new StageSchedule(
                        traits.program(),
                        traits.stages().get(s),
                        levels.carried(s),
                        shape.cells(),
                        ends))
            .toList();
    marginBefore = wholeChunks(levels.before(1));
    marginAfter = wholeChunks(levels.after(1));
  }

  /** Returns the cells of a chunk. */
  int chunk() {
    return CHUNK_BYTES / type.bytes();
  }

  /** Returns cells in whole chunks, at least as many as are asked for. */
  int wholeChunks(int cells) {
    return Ceiling.of(cells, chunk()) * chunk();
  }

  int steps() {
    return shape.steps();
  }

  Shape shape() {
    return shape;
  }

  HeldEnds ends() {
    return ends;
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

  StageSchedule schedule(int level) {
    return schedules.get(levels.stageIndex(level));
  }

  List<Integer> inputs() {
    return levels.inputs();
  }

  List<Integer> outputs() {
    return levels.outputs();
  }

  /** Returns whether lanes at the ends of rows have all that cells outside are copies of. */
  boolean fitsAtEnds() {
    return schedules.stream().allMatch(schedule -> schedule.ghosts().fit());
  }

  /** Returns the columns of a tile. */
  int columns() {
    return LANES * shape.cells();
  }

  /** Returns the columns of a tile before its results. */
  int marginBefore() {
    return marginBefore;
  }

  /** Returns the columns of a tile after its results. */
  int marginAfter() {
    return marginAfter;
  }

  /** Returns the columns of a tile that are results; none or fewer if the margins fill it. */
  int validColumns() {
    return columns() - marginBefore - marginAfter;
  }

  /** Returns the first column of results that is no margin of a tile at an end. */
  int firstColumn(Span results) {
    return ends.columns() ? marginBefore : results.low().get(1);
  }

  /** Returns the column behind the last one of results that is no margin of a tile at an end. */
  int lastColumn(Span results) {
    int end = wholeChunks(results.high().get(1));
    return ends.columns() ? end - marginAfter : end;
  }

  /** Returns the rows by which the results lag behind those that arrive. */
  int lag() {
    return lag(levels.count());
  }

  /** Returns the rows by which those that arrive at a level lag behind those at the first one. */
  int lag(int level) {
    return IntStream.range(0, level).map(l -> schedule(l).high()).sum();
  }

  /** Returns the first level of a warp; behind the last warp, the number of levels. */
  int firstLevel(int warp) {
    return warp * levels.count() / shape.warps();
  }

  /**
   * Returns whether all warps but the first and the last run the same instructions, on other rows:
   * what they do depends on nothing but the cells of the one field. The more warps have levels of
   * their own, the more instructions take turns in the caches of a multiprocessor.
   */
  boolean sharesCode() {
    return shape.warps() > 3
        && levels.count() % shape.warps() == 0
        && traits.stages().size() == 1
        && traits.program().fields().size() == 1
        && traits.program().parameters().isEmpty()
        && traits.program().nodes().stream().noneMatch(Node.Coordinate.class::isInstance);
  }

  /** Returns the most cells and values that wait in a lane from one row to the next. */
  int waitingCells() {
    int most = 0;
    for (int warp = 0; warp < shape.warps(); warp++) {
      int waiting =
          IntStream.range(firstLevel(warp), firstLevel(warp + 1))
              .map(level -> schedule(level).waitingCells())
              .sum();
      most = Math.max(most, waiting);
    }
    return most;
  }

  /** Returns the slots of registers in which rows take turns, in the order of arrival. */
  int slots() {
    return 1 + schedules.stream().mapToInt(StageSchedule::longestWait).max().orElse(0);
  }

  /** Returns whether the kernel needs asynchronous copies. */
  boolean copiesAhead() {
    return shape.ahead() > 0;
  }

  /** Returns the bytes of a row of a tile. */
  int rowBytes() {
    return columns() * type.bytes();
  }

  /** Returns whether results are brought into the order of memory before they are written. */
  boolean staggersResults() {
    return shape.cells() * type.bytes() > CHUNK_BYTES;
  }

  /** Returns the bytes of shared memory before what is staged for writing: the ring of rows. */
  int ringBytes() {
    return shape.ahead() * inputs().size() * rowBytes();
  }

  /** Returns the bytes of shared memory before the rows that a warp takes from the one before. */
  int relayAt(int warp) {
    int bytes = ringBytes() + (staggersResults() ? outputs().size() * rowBytes() : 0);
    for (int before = 1; before < warp; before++) {
      bytes += relayBytes(before);
    }
    return bytes;
  }

  /** Returns the bytes of the rows that a warp takes from the one before: those of two turns. */
  private int relayBytes(int warp) {
    return 2 * slots() * levels.live(firstLevel(warp)).size() * rowBytes();
  }

  /** Returns the rows that a block reads besides those of its results, one warp after the other. */
  int lead() {
    return levels.before(0) + lag() + slots() * shape.warps();
  }

  /** Returns the text. */
  GeneratedKernel generate() {
    String entry =
        "rows_%s_t%d_c%d_a%d_w%d%s"
            .formatted(
                type.name().toLowerCase(Locale.ROOT),
                shape.steps(),
                shape.cells(),
                shape.ahead(),
                shape.warps(),
                ends.any() ? "_ends" : "");
    return new GeneratedKernel(
        entry,
        new RowWriter(this).write(entry),
        LANES * shape.warps(),
        validColumns(),
        0,
        relayAt(shape.warps()),
        List.of(),
        null);
  }
}
