/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What one step of a simulation or a filter computes: new values of fields from the cells around
 * each cell, in one to three dimensions. A program is a graph of operations; it does not depend on
 * the element type, the engine, or how the cells are distributed. It is immutable.
 *
 * <p>There are three ways to write one, which give equal programs: the builder of {@link #of}, text
 * ({@link io.sparkstencil.program.text.ProgramText}), and the generators of {@code
 * io.sparkstencil.program.generate}.
 *
 * <pre>{@code
 * StencilProgram heat = ProgramText.parse("u' = u + a*(u[-1] - 2*u + u[1])");
 * StencilProgram ring = heat.withBoundary(Boundary.WRAP).withAccuracy(Accuracy.FMA);
 * List<String> needed = ring.parameters(); // a
 * }</pre>
 */
public final class StencilProgram implements Serializable {
  /** The rule outside every field that is given none: {@code c b a | a b c d | d c b}. */
  public static final Boundary DEFAULT_BOUNDARY = Boundary.REFLECT;

  /** The largest distance of a tap along an axis, in cells. */
  public static final int MAX_RADIUS = 1024;

  /** The most operations and leaves of a program. */
  public static final int MAX_NODES = 4096;

  private static final long serialVersionUID = 1L;
  private static final List<String> AXES = List.of("x", "y", "z");

  private final List<String> axes;
  private final List<String> fields;
  private final List<String> parameters;
  private final List<Node> nodes;
  private final List<Update> updates;
  private final List<FieldBoundary> boundaries;
  private final Accuracy accuracy;

  StencilProgram(
      List<String> axes,
      List<String> fields,
      List<String> parameters,
      List<Node> nodes,
      List<Update> updates,
      List<FieldBoundary> boundaries,
      Accuracy accuracy) {
    this.axes = List.copyOf(axes);
    this.fields = List.copyOf(fields);
    this.parameters = List.copyOf(parameters);
    this.nodes = List.copyOf(nodes);
    this.updates = List.copyOf(updates);
    this.boundaries = List.copyOf(boundaries);
    this.accuracy = accuracy;
  }

  /**
   * Returns the program that {@code definition} writes. Its axes are called x, y and z, slowest
   * first.
   *
   * @param dimensions the number of axes, 1 to 3
   * @throws InvalidStencilException if the definition is not a program
   */
  public static StencilProgram of(int dimensions, Consumer<ProgramBuilder> definition) {
    return of(axes(dimensions), definition);
  }

  /**
   * Returns the program that {@code definition} writes.
   *
   * @param axes one name per axis, slowest axis first, as in the shape of a NumPy array
   */
  public static StencilProgram of(List<String> axes, Consumer<ProgramBuilder> definition) {
    requireDimensions(axes.size());
    ProgramBuilder builder = new ProgramBuilder(axes);
    definition.accept(builder);
    return builder.build();
  }

  /** Returns the names of axes that are given none: x, y, z, slowest first. */
  public static List<String> axes(int dimensions) {
    requireDimensions(dimensions);
    return AXES.subList(0, dimensions);
  }

  private static void requireDimensions(int dimensions) {
    if (dimensions < 1 || dimensions > AXES.size()) {
      throw new InvalidStencilException(
          "a program with %d axes; programs have 1 to 3".formatted(dimensions));
    }
  }

  /** Returns the names of the axes, slowest first. */
  public List<String> axes() {
    return axes;
  }

  /** Returns the number of axes. */
  public int dimensions() {
    return axes.size();
  }

  /** Returns the names of the fields: those that are updated first, in the order of updates. */
  public List<String> fields() {
    return fields;
  }

  /** Returns the names of the parameters, in the order in which the updates reach them. */
  public List<String> parameters() {
    return parameters;
  }

  /** Returns the operations and their leaves; operands come before operations. */
  public List<Node> nodes() {
    return nodes;
  }

  /** Returns the updates of a step; update {@code i} is that of field {@code i}. */
  public List<Update> updates() {
    return updates;
  }

  /** Returns the rules outside the fields, in their order. */
  public List<FieldBoundary> boundaries() {
    return boundaries;
  }

  /** Returns how operations are rounded. */
  public Accuracy accuracy() {
    return accuracy;
  }

  /** Returns whether the program updates a field, and does not only read it. */
  public boolean updates(int field) {
    return field < updates.size();
  }

  /**
   * Returns the index of a field.
   *
   * @throws InvalidStencilException if the program has none of that name
   */
  public int field(String name) {
    int field = fields.indexOf(name);
    if (field < 0) {
      throw new InvalidStencilException(
          "the program has no field %s; it has %s".formatted(name, fields));
    }
    return field;
  }

  /** Returns this program with another accuracy. */
  public StencilProgram withAccuracy(Accuracy newAccuracy) {
    return new StencilProgram(axes, fields, parameters, nodes, updates, boundaries, newAccuracy);
  }

  /** Returns this program with the same rule outside every side of every field. */
  public StencilProgram withBoundary(Boundary boundary) {
    FieldBoundary uniform = FieldBoundary.uniform(boundary, dimensions());
    return withBoundaries(fields.stream().map(field -> uniform).toList());
  }

  /** Returns this program with other rules outside one field. */
  public StencilProgram withBoundary(String field, FieldBoundary boundary) {
    if (boundary.low().size() != dimensions()) {
      throw new InvalidStencilException(
          "rules for %d axes in a program with the axes %s; give one per axis and side"
              .formatted(boundary.low().size(), axes));
    }
    List<FieldBoundary> changed = new ArrayList<>(boundaries);
    changed.set(field(field), boundary);
    return withBoundaries(changed);
  }

  StencilProgram withBoundaries(List<FieldBoundary> newBoundaries) {
    return new StencilProgram(axes, fields, parameters, nodes, updates, newBoundaries, accuracy);
  }

  /**
   * Returns this program with other operations, of which those that no update needs are left out.
   */
  StencilProgram withNodes(List<Node> newNodes, List<Update> newUpdates) {
    List<Integer> order = reachable(newNodes, newUpdates);
    int[] position = new int[newNodes.size()];
    List<Node> kept = new ArrayList<>();
    for (int node : order) {
      position[node] = kept.size();
      kept.add(
          newNodes.get(node) instanceof Node.Apply apply
              ? new Node.Apply(
                  apply.operation(), apply.operands().stream().map(i -> position[i]).toList())
              : newNodes.get(node));
    }
    List<Update> moved =
        newUpdates.stream()
            .map(update -> new Update(update.field(), position[update.node()]))
            .toList();
    return new StencilProgram(axes, fields, parameters, kept, moved, boundaries, accuracy);
  }

  /**
   * Returns the stages of a step. Updates that read no updated cells are the first stage; an update
   * that does is in the stage after those that it reads.
   */
  public List<Stage> stages() {
    int[] stageOf = new int[updates.size()];
    List<List<Update>> stages = new ArrayList<>();
    for (Update update : updates) {
      int stage = 0;
      for (int node : reachable(nodes, List.of(update))) {
        if (nodes.get(node) instanceof Node.Tap tap && tap.updated()) {
          stage = Math.max(stage, stageOf[tap.field()] + 1);
        }
      }
      stageOf[update.field()] = stage;
      while (stages.size() <= stage) {
        stages.add(new ArrayList<>());
      }
      stages.get(stage).add(update);
    }
    return stages.stream()
        .map(group -> new Stage(List.copyOf(group), reachable(nodes, group)))
        .toList();
  }

  /** Returns the nodes that one update needs, operands first. */
  List<Node> nodes(Update update) {
    return reachable(nodes, List.of(update)).stream().map(nodes::get).toList();
  }

  /** Returns the indices of the nodes that updates need, operands first. */
  private static List<Integer> reachable(List<Node> nodes, List<Update> roots) {
    boolean[] needed = new boolean[nodes.size()];
    roots.forEach(update -> needed[update.node()] = true);
    for (int node = needed.length - 1; node >= 0; node--) {
      if (needed[node]) {
        nodes.get(node).inputs().forEach(input -> needed[input] = true);
      }
    }
    return IntStream.range(0, needed.length).filter(node -> needed[node]).boxed().toList();
  }

  /** Returns the digest of what is computed; names do not enter into it. */
  public String digest() {
    return ProgramDigest.of(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StencilProgram program
        && axes.equals(program.axes)
        && fields.equals(program.fields)
        && parameters.equals(program.parameters)
        && nodes.equals(program.nodes)
        && updates.equals(program.updates)
        && boundaries.equals(program.boundaries)
        && accuracy == program.accuracy;
  }

  @Override
  public int hashCode() {
    return nodes.hashCode();
  }

  /** Returns the text of the program; see {@link io.sparkstencil.program.text.ProgramText}. */
  @Override
  public String toString() {
    return ProgramPrinter.print(this);
  }
}
