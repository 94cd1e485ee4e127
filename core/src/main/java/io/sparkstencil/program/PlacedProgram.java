/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program on a part of a grid as one for an array of its own, for engines that count positions
 * from an array's first cell: where the array lies in the grid is added to each position. It has
 * the same bits. The place is a parameter, so parts of a grid have few programs in common.
 */
public final class PlacedProgram {
  private final StencilProgram program;
  private final int ownParameters;
  private final List<Double> places;

  private PlacedProgram(StencilProgram program, int ownParameters, List<Double> places) {
    this.program = program;
    this.ownParameters = ownParameters;
    this.places = List.copyOf(places);
  }

  /**
   * Returns the program for an array.
   *
   * @param type the type of the cells, in which positions are counted
   * @throws UnsupportedStencilException if the program reads positions of which the type cannot
   *     hold all, or if the array goes around a periodic axis more than once
   */
  public static PlacedProgram of(
      StencilProgram program, ElementType type, Extent extent, Placement placement) {
    List<Integer> moved = new ArrayList<>();
    for (Node node : program.nodes()) {
      if (node instanceof Node.Coordinate coordinate
          && !placement.isWhole(coordinate.axis(), extent)) {
        moved.add(coordinate.axis());
      }
    }
    if (moved.isEmpty()) {
      return new PlacedProgram(program, program.parameters().size(), List.of());
    }
    return new Writer(program, type, extent, placement).write();
  }

  /** Returns the program of an array that is whole. */
  public StencilProgram program() {
    return program;
  }

  /** Returns the values of its parameters: those of the original program, and the place. */
  public ParameterValues parameters(ParameterValues own) {
    return places.isEmpty()
        ? own
        : (parameter, step) ->
            parameter < ownParameters
                ? own.value(parameter, step)
                : places.get(parameter - ownParameters);
  }

  /** Writes the operations of the program anew. */
  private static final class Writer {
    private final StencilProgram program;
    private final ElementType type;
    private final Extent extent;
    private final Placement placement;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Node, Integer> indices = new HashMap<>();
    private final List<String> parameters;
    private final List<Double> places = new ArrayList<>();

    Writer(StencilProgram program, ElementType type, Extent extent, Placement placement) {
      this.program = program;
      this.type = type;
      this.extent = extent;
      this.placement = placement;
      this.parameters = new ArrayList<>(program.parameters());
    }

    PlacedProgram write() {
      int[] now = new int[program.nodes().size()];
      for (int i = 0; i < now.length; i++) {
        Node node = program.nodes().get(i);
        if (node instanceof Node.Coordinate coordinate
            && !placement.isWhole(coordinate.axis(), extent)) {
          now[i] = position(coordinate);
        } else if (node instanceof Node.Apply apply) {
          List<Integer> operands = apply.operands().stream().map(operand -> now[operand]).toList();
          now[i] = add(new Node.Apply(apply.operation(), operands));
        } else {
          now[i] = add(node);
        }
      }
      List<Update> updates =
          program.updates().stream()
              .map(update -> new Update(update.field(), now[update.node()]))
              .toList();
      StencilProgram placed =
          new StencilProgram(
              program.axes(),
              program.fields(),
              parameters,
              nodes,
              updates,
              program.boundaries(),
              program.accuracy());
      return new PlacedProgram(placed, program.parameters().size(), places);
    }

    /** Adds the place to a position; beyond the ends of the grid, its images are counted. */
    private int position(Node.Coordinate coordinate) {
      int axis = coordinate.axis();
      long first = placement.origin().get(axis);
      long end = first + extent.size(axis);
      long size = placement.grid().get(axis);
      requireExact(axis, first, end, size);
      int position = apply(Operation.ADD, add(coordinate), parameter(axis, "place", first));
      if (first < 0 || end > size) {
        int cells = parameter(axis, "cells", size);
        int zero = add(new Node.Constant(0));
        int before = apply(Operation.LESS, position, zero);
        int after = apply(Operation.LESS_OR_EQUAL, cells, position);
        int higher = apply(Operation.ADD, position, cells);
        int lower = apply(Operation.SUBTRACT, position, cells);
        position = apply(Operation.SELECT, after, lower, position);
        position = apply(Operation.SELECT, before, higher, position);
      }
      return position;
    }

    private void requireExact(int axis, long first, long end, long size) {
      long most = 1L << (type == ElementType.F32 ? 24 : 53);
      boolean exact = size <= most && -first <= most && end <= most && end - first <= most;
      if (!exact || first < -size || end > 2 * size) {
        throw new UnsupportedStencilException(
            "the program reads positions along axis %s of %d cells, from %d to %d; this engine counts up to %d in %s and once around: use the CPU, or a field that holds the positions"
                .formatted(program.axes().get(axis), size, first, end, most, type));
      }
    }

    private int parameter(int axis, String what, long value) {
      String name = what + "_of_" + program.axes().get(axis);
      while (parameters.contains(name)
          || program.fields().contains(name)
          || program.axes().contains(name)) {
        name += "_";
      }
      parameters.add(name);
      places.add((double) value);
      return add(new Node.Parameter(parameters.size() - 1));
    }

    private int apply(Operation operation, Integer... operands) {
      return add(new Node.Apply(operation, List.of(operands)));
    }

    /** Returns the index of a node; equal ones are one. */
    private int add(Node node) {
      return indices.computeIfAbsent(
          node,
          added -> {
            nodes.add(added);
            return nodes.size() - 1;
          });
    }
  }
}
