/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Placement;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A part of the fields that stays in the cache for several steps. It is loaded with the cells that
 * its results depend on; each step computes fewer of them, until the results are left. A tile moves
 * along the slowest axis and holds only the positions that it still needs; see {@link Fronts}. One
 * thread uses a tile; its memory serves one part after another.
 */
final class Tile {
  /** The terms after which it is asked whether cells are wanted. */
  private static final int TERMS_PER_QUESTION = 1 << 20;

  private final ProgramCode code;
  private final Geometry geometry;
  private final ElementType type;
  private final Chunks chunks;
  private final Placement placement;
  private final Cancellation cancellation;
  private final List<Margins> margins = new ArrayList<>();

  /** The cells of each field after an even number of steps, and after an odd one. */
  private final Object[][] cells = new Object[2][];

  private final Object[] positions = new Object[TileBox.AXES];
  private final Object[] temporaries;
  private final Object[] broadcasts;
  private double[] broadcastValues; // those that fill them, null for none yet

  /** What is beyond the cells that are being computed, per update of a stage. */
  private final Object[] after;

  /** The positions that the arrays hold. */
  private TileBox box;

  private long asked; // terms since it was asked whether they are wanted

  /** The instructions of each stage, first those of even steps. */
  private final List<BoundInstruction[]> bound = new ArrayList<>();

  /** The scalars whose values they have. */
  private final List<double[]> weighed = new ArrayList<>();

  Tile(
      ProgramCode code,
      Geometry geometry,
      ElementType type,
      Chunks chunks,
      Placement placement,
      int size,
      Cancellation cancellation) {
    this.code = code;
    this.geometry = geometry;
    this.type = type;
    StencilProgram program = code.traits().program();
    this.chunks = chunks;
    this.placement = placement;
    this.cancellation = cancellation;
    program.boundaries().forEach(boundary -> margins.add(new Margins(geometry, boundary)));
    cells[0] = arrays(program.fields().size(), size);
    cells[1] = cells[0].clone();
    System.arraycopy(
        arrays(program.updates().size(), size), 0, cells[1], 0, program.updates().size());
    temporaries = arrays(code.temporaries(), Chunks.CELLS);
    after = arrays(program.updates().size(), 0);
    broadcasts = new Object[code.scalars().size()];
    for (List<Instruction> stage : code.stages()) {
      for (Instruction instruction : stage) {
        for (Source source : instruction.sources()) {
          if (source instanceof Source.Positions position) {
            positions[geometry.axis(position.axis())] = type.newArray(size + Chunks.SLACK);
          } else if (source instanceof Source.Broadcast broadcast) {
            broadcasts[broadcast.scalar()] = type.newArray(Chunks.CELLS + Chunks.SLACK);
          }
        }
      }
    }
  }

  private Object[] arrays(int number, int size) {
    Object[] arrays = new Object[number];
    Arrays.setAll(arrays, i -> type.newArray(size + Chunks.SLACK));
    return arrays;
  }

  /**
   * Computes a part of the fields some steps on.
   *
   * @param results the positions of that part
   * @param tiling how far the tile moves at a time
   * @param fields the cells of all fields before the steps
   * @param steps the values of the scalars in each step
   * @param target the arrays of the updated fields after the steps
   */
  void run(
      TileBox results, Tiling tiling, List<Object> fields, double[][] steps, List<Object> target) {
    Fronts fronts = new Fronts(geometry, results, steps.length, tiling.advance());
    int depth = tiling.depth(geometry, results, steps.length);
    TileBox before = box;
    box = held(fronts.loaded(), fronts.loaded().low()[geometry.slowest()], depth);
    if (before == null || before.stride(0) != box.stride(0) || before.stride(1) != box.stride(1)) {
      bound.clear();
      weighed.clear();
    }
    while (fronts.next()) {
      if (fronts.loads().high()[geometry.slowest()] > box.high()[geometry.slowest()]) {
        move(fronts, depth);
      }
      load(fields, fronts.loads());
      for (int step = 0; step < steps.length; step++) {
        cancellation.check();
        step(fronts, step, steps[step]);
      }
      for (int field = 0; field < code.traits().program().updates().size(); field++) {
        store(fronts.stores(), cells[steps.length % 2][field], target.get(field));
      }
    }
  }

  private TileBox held(TileBox loaded, int from, int depth) {
    int axis = geometry.slowest();
    int[] low = loaded.low().clone();
    int[] high = loaded.high().clone();
    low[axis] = from;
    high[axis] = Math.min(from + depth, high[axis]);
    return new TileBox(low, high);
  }

  /** Moves the cells that are still needed to the front of the arrays. */
  private void move(Fronts fronts, int depth) {
    int axis = geometry.slowest();
    int from = (fronts.live() - box.low()[axis]) * box.stride(axis);
    int n = (fronts.loads().low()[axis] - fronts.live()) * box.stride(axis);
    for (int i = 0; i < cells[0].length; i++) {
      System.arraycopy(cells[0][i], from, cells[0][i], 0, n);
      if (cells[1][i] != cells[0][i]) {
        System.arraycopy(cells[1][i], from, cells[1][i], 0, n);
      }
    }
    for (Object array : positions) {
      if (array != null) {
        System.arraycopy(array, from, array, 0, n);
      }
    }
    box = held(fronts.loaded(), fronts.live(), depth);
  }

  private void load(List<Object> fields, TileBox loads) {
    for (int field = 0; field < cells[0].length; field++) {
      margins.get(field).load(fields.get(field), cells[0][field], box, loads);
    }
    for (int axis = 0; axis < TileBox.AXES; axis++) {
      if (positions[axis] != null) {
        loadPositions(axis, loads);
      }
    }
  }

  private void loadPositions(int axis, TileBox loads) {
    int domain = geometry.domain(axis);
    long origin = placement.origin().get(geometry.programAxis(axis));
    long grid = placement.grid().get(geometry.programAxis(axis));
    for (int z = loads.low()[0]; z < loads.high()[0]; z++) {
      for (int y = loads.low()[1]; y < loads.high()[1]; y++) {
        for (int x = loads.low()[2]; x < loads.high()[2]; x++) {
          int cell = Math.floorMod(axis == 0 ? z : axis == 1 ? y : x, domain);
          long position = Math.floorMod(origin + cell, grid);
          if (positions[axis] instanceof float[] floats) {
            floats[box.index(z, y, x)] = position;
          } else {
            ((double[]) positions[axis])[box.index(z, y, x)] = position;
          }
        }
      }
    }
  }

  private void step(Fronts fronts, int step, double[] scalars) {
    int axis = geometry.slowest();
    Object[] updated = cells[(step + 1) % 2];
    broadcast(scalars);
    for (int stage = 0; stage < code.stages().size(); stage++) {
      TileBox computed = fronts.computes(step, stage);
      if (computed.size(axis) > 0) {
        List<Update> updates = code.traits().stages().get(stage).updates();
        compute(bound(step, stage, scalars), updates, updated, computed);
        for (Update update : updates) {
          margins
              .get(update.field())
              .fill(updated[update.field()], box, computed.low()[axis], computed.high()[axis]);
        }
      }
    }
  }

  private void broadcast(double[] scalars) {
    if (scalars == broadcastValues) {
      return;
    }
    broadcastValues = scalars;
    for (int i = 0; i < broadcasts.length; i++) {
      if (broadcasts[i] instanceof float[] floats) {
        Arrays.fill(floats, (float) scalars[i]);
      } else if (broadcasts[i] != null) {
        Arrays.fill((double[]) broadcasts[i], scalars[i]);
      }
    }
  }

  private BoundInstruction[] bound(int step, int stage, double[] scalars) {
    int stages = code.stages().size();
    while (bound.size() < 2 * stages) {
      bound.add(null);
      weighed.add(null);
    }
    int index = step % 2 * stages + stage;
    if (bound.get(index) == null) {
      bound.set(
          index,
          code.stages().get(stage).stream()
              .map(i -> bind(i, step % 2))
              .toArray(BoundInstruction[]::new));
    }
    if (weighed.get(index) != scalars) {
      weighed.set(index, scalars);
      for (BoundInstruction instruction : bound.get(index)) {
        instruction.weigh(scalars);
      }
    }
    return bound.get(index);
  }

  private BoundInstruction bind(Instruction instruction, int odd) {
    Object[] old = cells[odd];
    Object[] updated = cells[1 - odd];
    int operands = instruction.sources().size();
    Object[] sources = new Object[operands];
    int[] shifts = new int[operands];
    boolean[] moves = new boolean[operands];
    for (int i = 0; i < operands; i++) {
      Source source = instruction.sources().get(i);
      if (source instanceof Source.Cells cells) {
        sources[i] = (cells.updated() ? updated : old)[cells.field()];
        int[] offset = geometry.offset(cells.offset());
        shifts[i] =
            offset[0] * box.stride(0) + offset[1] * box.stride(1) + offset[2] * box.stride(2);
        moves[i] = true;
      } else if (source instanceof Source.Positions position) {
        sources[i] = positions[geometry.axis(position.axis())];
        moves[i] = true;
      } else if (source instanceof Source.Temporary temporary) {
        sources[i] = temporaries[temporary.index()];
      } else if (source instanceof Source.Broadcast broadcast) {
        sources[i] = broadcasts[broadcast.scalar()];
      }
    }
    return new BoundInstruction(
        instruction.kind(),
        sources,
        shifts,
        moves,
        instruction.weights().stream().mapToInt(Integer::intValue).toArray(),
        new double[instruction.weights().size()],
        (instruction.toField() ? updated : temporaries)[instruction.target()],
        instruction.toField(),
        new int[operands]);
  }

  /**
   * Computes the cells of a box, plane by plane. The cells between the end of a row and the start
   * of the next are computed, too, for nothing: runs are longer so. Nobody reads them before they
   * are filled. Those after the last row are put back, as an earlier step may have left them there.
   */
  private void compute(
      BoundInstruction[] instructions, List<Update> updates, Object[] updated, TileBox computed) {
    int end = box.index(computed.high()[0] - 1, computed.high()[1] - 1, computed.high()[2]);
    for (int i = 0; i < updates.size(); i++) {
      System.arraycopy(updated[updates.get(i).field()], end, after[i], 0, Chunks.SLACK);
    }
    for (int z = computed.low()[0]; z < computed.high()[0]; z++) {
      int first = box.index(z, computed.low()[1], computed.low()[2]);
      int last = box.index(z, computed.high()[1] - 1, computed.high()[2] - 1) + 1;
      // one instruction alone has no temporaries that should stay in the cache
      boolean alone = instructions.length == 1 && instructions[0].isOfTile();
      int chunk = alone ? cellsAlone(instructions[0]) : Chunks.CELLS;
      for (int at = first; at < last; at += chunk) {
        int n = Math.min(chunk, last - at);
        if (asked >= TERMS_PER_QUESTION) {
          cancellation.check();
          asked = 0;
        }
        for (BoundInstruction instruction : instructions) {
          instruction.run(chunks, at, n);
          asked += n * (long) instruction.sources().length;
        }
      }
    }
    for (int i = 0; i < updates.size(); i++) {
      System.arraycopy(after[i], 0, updated[updates.get(i).field()], end, Chunks.SLACK);
    }
  }

  /** Returns how many cells an instruction without others computes at once. */
  private static int cellsAlone(BoundInstruction instruction) {
    return Math.max(Chunks.CELLS, TERMS_PER_QUESTION / Math.max(1, instruction.sources().length));
  }

  private void store(TileBox results, Object from, Object target) {
    for (int z = results.low()[0]; z < results.high()[0]; z++) {
      for (int y = results.low()[1]; y < results.high()[1]; y++) {
        int to = (z * geometry.domain(1) + y) * geometry.domain(2) + results.low()[2];
        System.arraycopy(from, box.index(z, y, results.low()[2]), target, to, results.size(2));
      }
    }
  }
}
