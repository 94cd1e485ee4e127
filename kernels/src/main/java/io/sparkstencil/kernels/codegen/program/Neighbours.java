/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Boundary.Mode;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the neighbours of a cell. Along some axes they may be outside the field: a look into the
 * {@link BoundaryTables} says by how far the cell that has their value is away instead. Of
 * constants, that of the slowest axis holds.
 */
final class Neighbours {
  private static final int ENTRY_BYTES = 4;

  private final PtxWriter k;
  private final StepKernel kernel;
  private final StepWriter.Place place;
  private final Set<Integer> beside;
  private final PtxType cell;

  /** The addresses of the cell's neighbours in other rows and planes, by what they are of. */
  private final Map<List<Integer>, Register> rows = new HashMap<>();

  /** Whether a neighbour along an axis is in the field. */
  private final Map<List<Integer>, Register> inside = new HashMap<>();

  /** The bytes from the cell to where a neighbour along an axis has its value from. */
  private final Map<List<Integer>, Register> moves = new HashMap<>();

  /**
   * Where the table has the position itself, before the first cell of an axis or after the last.
   */
  private final Map<List<Integer>, Register> entries = new HashMap<>();

  /**
   * Prepares loads, which all are to be written at the same place.
   *
   * @param place the cell
   * @param beside the axes along which neighbours may be outside the field
   */
  Neighbours(PtxWriter k, StepKernel kernel, StepWriter.Place place, Set<Integer> beside) {
    this.k = k;
    this.kernel = kernel;
    this.place = place;
    this.beside = Set.copyOf(beside);
    cell = PtxCells.registers(kernel.type());
  }

  /** Writes the load of a neighbour. */
  void load(Node.Tap tap, Register target) {
    int source = kernel.source(tap);
    List<Integer> offset = new ArrayList<>(ArrayView.threeAxes(tap.offset(), 0));
    List<Register> moved = new ArrayList<>();
    List<Register> conditions = new ArrayList<>();
    List<Double> constants = new ArrayList<>();
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      int distance = offset.get(axis);
      if (distance != 0 && beside.contains(axis)) {
        Boundary rule = rule(tap.field(), axis, distance);
        if (rule.mode() == Mode.CONSTANT) {
          conditions.add(inside(source, axis, distance));
          constants.add(rule.constant());
        } else {
          moved.add(move(source, tap.field(), axis, distance));
          offset.set(axis, 0);
        }
      }
    }
    Register row = row(source, offset.get(0), offset.get(1));
    for (Register move : moved) {
      row = k.b64("add.s64", row, move);
    }
    Address address = at(row, offset.get(2) * kernel.type().bytes());
    Register all = null;
    for (Register condition : conditions) {
      all = all == null ? condition : k.test("and.pred", all, condition);
    }
    // constants come before the load: behind it, they would have assemblers load all cells at once
    String move = "mov." + cell.declaration();
    for (int i = conditions.size() - 1; i >= 0; i--) {
      Operand constant = PtxCells.literal(kernel.type(), constants.get(i));
      if (i == conditions.size() - 1) {
        k.put(move, target, constant);
      } else if (constants.stream().distinct().count() > 1) {
        k.putUnless(conditions.get(i), move, target, constant);
      }
    }
    k.putIf(all, "ld.global.nc." + cell.declaration(), target, address);
  }

  /** Returns the rule for positions that a distance can lead to outside. */
  private Boundary rule(int field, int axis, int distance) {
    FieldBoundary boundary = kernel.traits().program().boundaries().get(field);
    return (distance < 0 ? boundary.low() : boundary.high()).get(programAxis(axis));
  }

  private int programAxis(int axis) {
    return axis - (ArrayView.AXES - kernel.dimensions());
  }

  private Register row(int source, int planes, int rowsAfter) {
    List<Integer> key = List.of(source, planes, rowsAfter);
    Register known = rows.get(key);
    if (known != null) {
      return known;
    }
    StepWriter.View view = place.views().get(source);
    Register address;
    if (rowsAfter != 0) {
      address = k.b64("mad.lo.s64", view.row(), rowsAfter, row(source, planes, 0));
    } else if (planes != 0) {
      address = k.b64("mad.lo.s64", view.plane(), planes, view.here());
    } else {
      address = view.here();
    }
    rows.put(key, address);
    return address;
  }

  private Register inside(int source, int axis, int distance) {
    return inside.computeIfAbsent(
        List.of(source, axis, distance),
        key -> {
          StepWriter.View view = place.views().get(source);
          Register index = k.b32("add.s32", place.position().get(axis), distance);
          Register fromLow = k.b32("sub.s32", index, view.low().get(axis));
          return k.test("setp.lt.u32", fromLow, view.cells().get(axis));
        });
  }

  private Register move(int source, int field, int axis, int distance) {
    List<Integer> key = List.of(source, axis, distance);
    Register known = moves.get(key);
    if (known != null) {
      return known;
    }
    Register isInside = inside(source, axis, distance);
    Register entry = entry(axis, distance < 0);
    Register cells = k.b32("mov.b32", distance);
    int behind = kernel.tables().entryBehind(field, programAxis(axis));
    k.putUnless(isInside, "ld.global.nc.u32", cells, at(entry, (behind + distance) * ENTRY_BYTES));
    k.putUnless(isInside, "sub.s32", cells, cells, place.position().get(axis));
    StepWriter.View view = place.views().get(source);
    Register bytes =
        switch (axis) {
          case 0 -> k.b64("mul.lo.s64", k.b64("cvt.s64.s32", cells), view.plane());
          case 1 -> k.b64("mul.lo.s64", k.b64("cvt.s64.s32", cells), view.row());
          default -> k.b64("mul.wide.s32", cells, kernel.type().bytes());
        };
    moves.put(key, bytes);
    return bytes;
  }

  /** Returns the table's address for entry 0, moved by the position, which the axis ends at. */
  private Register entry(int axis, boolean low) {
    return entries.computeIfAbsent(
        List.of(axis, low ? 0 : 1),
        key -> {
          Register position = place.position().get(axis);
          Register from = low ? position : k.b32("sub.s32", position, place.sizes().get(axis));
          return k.b64("mad.wide.s32", from, ENTRY_BYTES, place.tables());
        });
  }
}
