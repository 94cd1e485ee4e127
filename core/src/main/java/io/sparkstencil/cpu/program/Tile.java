/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A part of the fields that stays in the cache for several steps. It is loaded with the cells that
 * its results depend on; each step computes fewer of them, until the results are left. One thread
 * uses a tile; its memory serves one part after another.
 */
final class Tile {
  private final ProgramCode code;
  private final Geometry geometry;
  private final ElementType type;
  private final Chunks chunks;
  private final List<Margins> margins = new ArrayList<>();

  /** The cells of each field before a step, and, for those that are updated, after it. */
  private final Object[] old;

  private final Object[] updated;
  private final Object[] positions = new Object[Box.AXES];
  private final Object[] temporaries;
  private final Object[] broadcasts;
  private double[] broadcastValues; // those that fill them, null for none yet
  private Box box;

  /** The arrays before and after a step change places: instructions are bound for both ways. */
  private final List<List<BoundInstruction>> bound = new ArrayList<>();

  private boolean swapped;

  Tile(ProgramCode code, Geometry geometry, ElementType type, Chunks chunks, int cells) {
    this.code = code;
    this.geometry = geometry;
    this.type = type;
    StencilProgram program = code.traits().program();
    this.chunks = chunks;
    program.boundaries().forEach(boundary -> margins.add(new Margins(geometry, boundary)));
    old = arrays(program.fields().size(), cells);
    updated = arrays(program.updates().size(), cells);
    temporaries = arrays(code.temporaries(), Chunks.CELLS);
    broadcasts = new Object[code.scalars().size()];
    for (List<Instruction> stage : code.stages()) {
      for (Instruction instruction : stage) {
        for (Source source : instruction.sources()) {
          if (source instanceof Source.Positions position) {
            positions[geometry.axis(position.axis())] = type.newArray(cells + Chunks.SLACK);
          } else if (source instanceof Source.Broadcast broadcast) {
            broadcasts[broadcast.scalar()] = type.newArray(Chunks.CELLS + Chunks.SLACK);
          }
        }
      }
    }
  }

  private Object[] arrays(int number, int cells) {
    Object[] arrays = new Object[number];
    Arrays.setAll(arrays, i -> type.newArray(cells + Chunks.SLACK));
    return arrays;
  }

  /**
   * Computes a part of the fields some steps on.
   *
   * @param results the positions of that part
   * @param fields the cells of all fields before the steps
   * @param steps the values of the scalars in each step
   * @param target the arrays of the updated fields after the steps
   */
  void run(Box results, List<Object> fields, double[][] steps, List<Object> target) {
    Box before = box;
    box = geometry.loaded(results, steps.length);
    if (before == null || before.stride(0) != box.stride(0) || before.stride(1) != box.stride(1)) {
      bound.clear();
    }
    for (int field = 0; field < old.length; field++) {
      margins.get(field).load(fields.get(field), old[field], box);
    }
    for (int axis = 0; axis < Box.AXES; axis++) {
      if (positions[axis] != null) {
        loadPositions(axis);
      }
    }
    for (int step = 0; step < steps.length; step++) {
      step(results, steps[step], steps.length - 1 - step);
    }
    for (int field = 0; field < updated.length; field++) {
      store(results, old[field], target.get(field));
    }
  }

  private void loadPositions(int axis) {
    for (int z = box.low()[0]; z < box.high()[0]; z++) {
      for (int y = box.low()[1]; y < box.high()[1]; y++) {
        for (int x = box.low()[2]; x < box.high()[2]; x++) {
          int position = Math.floorMod(axis == 0 ? z : axis == 1 ? y : x, geometry.domain(axis));
          if (positions[axis] instanceof float[] floats) {
            floats[box.index(z, y, x)] = position;
          } else {
            ((double[]) positions[axis])[box.index(z, y, x)] = position;
          }
        }
      }
    }
  }

  private void step(Box results, double[] scalars, int stepsAfter) {
    broadcast(scalars);
    for (int stage = 0; stage < code.stages().size(); stage++) {
      Box computed = geometry.computed(results, stepsAfter, stage);
      compute(bound(stage, scalars), computed);
      for (Update update : code.traits().stages().get(stage).updates()) {
        margins.get(update.field()).fill(updated[update.field()], box);
      }
    }
    for (int field = 0; field < updated.length; field++) {
      Object before = old[field];
      old[field] = updated[field];
      updated[field] = before;
    }
    swapped = !swapped;
  }

  private void broadcast(double[] scalars) {
    if (Arrays.equals(scalars, broadcastValues)) {
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

  private List<BoundInstruction> bound(int stage, double[] scalars) {
    int stages = code.stages().size();
    while (bound.size() < 2 * stages) {
      bound.add(null);
    }
    int index = swapped ? stages + stage : stage;
    if (bound.get(index) == null) {
      bound.set(index, code.stages().get(stage).stream().map(this::bind).toList());
    }
    bound.get(index).forEach(instruction -> instruction.weigh(scalars));
    return bound.get(index);
  }

  private BoundInstruction bind(Instruction instruction) {
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
   * are filled.
   */
  private void compute(List<BoundInstruction> instructions, Box cells) {
    for (int z = cells.low()[0]; z < cells.high()[0]; z++) {
      int first = box.index(z, cells.low()[1], cells.low()[2]);
      int last = box.index(z, cells.high()[1] - 1, cells.high()[2] - 1) + 1;
      for (int at = first; at < last; at += Chunks.CELLS) {
        int n = Math.min(Chunks.CELLS, last - at);
        for (BoundInstruction instruction : instructions) {
          instruction.run(chunks, at, n);
        }
      }
    }
  }

  private void store(Box results, Object from, Object target) {
    for (int z = results.low()[0]; z < results.high()[0]; z++) {
      for (int y = results.low()[1]; y < results.high()[1]; y++) {
        int to = (z * geometry.domain(1) + y) * geometry.domain(2) + results.low()[2];
        System.arraycopy(from, box.index(z, y, results.low()[2]), target, to, results.size(2));
      }
    }
  }
}
