/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Source;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Use;
import io.sparkstencil.model.ElementType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The shared memory of a block that streams planes: rings of input planes, filled ahead, and the
 * rows of computed planes that other warps read.
 */
final class PlaneMemory {
  static final int CHUNK = 16;

  /** Bytes between the chunks of a lane: those of all lanes lie next to each other. */
  static final int CHUNKS = 32 * CHUNK;

  /**
   * A ring of planes of an input.
   *
   * @param held whether a thread keeps its own cells in registers once it has read them
   * @param arrives age at which a thread first reads its own cells
   * @param first age of the newest plane in it that is ready
   * @param last age of the oldest plane that is read from it
   * @param depth planes in it
   * @param above rows of a plane above the tile's
   * @param below rows of a plane below the tile's
   * @param left chunks of a row before the tile's
   * @param right chunks of a row behind the tile's
   * @param offset where it starts
   */
  record Ring(
      int field,
      boolean held,
      int arrives,
      int first,
      int last,
      int depth,
      int above,
      int below,
      int left,
      int right,
      int rowBytes,
      int slotBytes,
      int offset) {}

  /**
   * The rows of a computed plane that other warps read.
   *
   * @param low the rows above that a warp reads
   * @param high the rows below that a warp reads
   * @param rows the rows that a warp writes
   * @param offset where the rows of the first warp start in a slot
   */
  record Edges(int low, int high, int rows, int offset) {
    /** Returns the place of a row of a warp among those that it writes, or -1. */
    int index(int row, int warpRows) {
      if (rows == warpRows || row < high) {
        return row;
      }
      return row >= warpRows - low ? high + row - (warpRows - low) : -1;
    }
  }

  private final PlanePlan plan;
  private final PlaneShape shape;
  private final int rowBytes;
  private final int chunkCells;
  private final boolean widens;
  private final Map<Integer, Ring> rings = new LinkedHashMap<>();
  private final Map<Source, Edges> edges = new LinkedHashMap<>();
  private int edgeSlots;
  private int edgeStart;
  private int edgeBytes;
  private final int barrier;
  private int bytes;

  PlaneMemory(PlanePlan plan, PlaneShape shape, ElementType type) {
    this.plan = plan;
    this.shape = shape;
    rowBytes = shape.columns() * type.bytes();
    chunkCells = CHUNK / type.bytes();
    widens = shape.steps() == 1 && shape.cells() == chunkCells;
    for (int field : plan.inputs()) {
      addRing(field, of(new Source(PlanePlan.INPUT, field)));
    }
    edgeStart = bytes;
    for (Use use : plan.uses()) {
      Source source = use.source();
      if (!source.isInput() && !edges.containsKey(source)) {
        addEdges(source, of(source));
      }
    }
    bytes += edgeSlots * edgeBytes;
    barrier = bytes;
    bytes += shape.overlaps() ? CHUNK : 0;
  }

  private List<Use> of(Source source) {
    return plan.uses().stream().filter(use -> use.source().equals(source)).toList();
  }

  private static int most(List<Use> uses, ToIntFunction<Use> of) {
    return Math.max(0, uses.stream().mapToInt(of).max().orElse(0));
  }

  private void addRing(int field, List<Use> uses) {
    boolean once =
        uses.stream()
            .allMatch(u -> u.age() == uses.get(0).age() && u.phase() == uses.get(0).phase());
    boolean held = !once && !shape.rereads();
    int first = uses.stream().mapToInt(Use::age).min().orElseThrow();
    List<Use> read = uses.stream().filter(use -> !held || isOfOthers(use)).toList();
    int newest = first;
    if (read.stream().anyMatch(use -> use.age() == newest && use.phase() == 0 && isOfOthers(use))) {
      first--; // what others have copied is only there behind a barrier
    }
    int last = Math.max(first, read.stream().mapToInt(Use::age).max().orElse(first));
    int end = read.stream().mapToInt(use -> use.age() + use.phase()).max().orElse(first);
    int depth = shape.ahead() - first + Math.max(end, newest);
    int above = most(uses, use -> -use.offset(1));
    int below = most(uses, use -> use.offset(1));
    int left = widens ? chunks(most(uses, use -> -use.offset(2))) : 0;
    int right = widens ? chunks(most(uses, use -> use.offset(2))) : 0;
    int row = rowBytes + (left + right) * CHUNK;
    int slot = row * (above + shape.tileRows() + below);
    rings.put(
        field,
        new Ring(
            field, held, newest, first, last, depth, above, below, left, right, row, slot, bytes));
    bytes += depth * slot;
  }

  private int chunks(int cells) {
    return (cells + chunkCells - 1) / chunkCells;
  }

  /** Returns whether a thread reads cells from memory that another one has copied. */
  private boolean isOfOthers(Use use) {
    return use.offset(1) != 0 || (widens && use.offset(2) != 0);
  }

  private void addEdges(Source source, List<Use> uses) {
    int low = most(uses, use -> -use.offset(1));
    int high = most(uses, use -> use.offset(1));
    if (low + high == 0) {
      return;
    }
    int rows = Math.min(shape.rows(), low + high);
    int before = (low + shape.rows() - 1) / shape.rows();
    int after = (high + shape.rows() - 1) / shape.rows();
    edges.put(source, new Edges(low, high, rows, edgeBytes + before * rows * rowBytes));
    edgeBytes += (before + shape.warps() + after) * rows * rowBytes;
    for (Use use : uses) {
      if (use.offset(1) != 0) {
        edgeSlots = Math.max(edgeSlots, use.age() + use.phase() + 1);
      }
    }
  }

  /** Returns whether neighbouring lanes' cells of inputs are read from rings, not shuffled. */
  boolean widens() {
    return widens;
  }

  Map<Integer, Ring> rings() {
    return rings;
  }

  /** Returns the rows of a source that other warps read, or null if there are none. */
  Edges edges(Source source) {
    return edges.get(source);
  }

  Map<Source, Edges> edges() {
    return edges;
  }

  /** Returns the planes for which edges are kept. */
  int edgeSlots() {
    return edgeSlots;
  }

  int edgeStart() {
    return edgeStart;
  }

  /** Returns the bytes of a plane's edges. */
  int edgeBytes() {
    return edgeBytes;
  }

  /** Returns where the barrier of the planes is; of use in shapes that overlap. */
  int barrier() {
    return barrier;
  }

  int rowBytes() {
    return rowBytes;
  }

  int bytes() {
    return bytes;
  }
}
