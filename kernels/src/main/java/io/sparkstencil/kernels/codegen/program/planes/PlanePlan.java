/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * What several steps of a three-dimensional program do as planes stream by. Each stage of each step
 * is a level. A level reads planes of the input and planes that earlier levels computed, and
 * computes a plane as soon as the planes that it reads are there.
 */
final class PlanePlan {
  /** The level of a source that is an input of the kernel. */
  static final int INPUT = -1;

  /**
   * Where planes come from.
   *
   * @param level the level that computes them, or {@link #INPUT}
   * @param field the field
   */
  record Source(int level, int field) {
    boolean isInput() {
      return level == INPUT;
    }
  }

  /**
   * A stage of a step.
   *
   * @param lag planes between the plane of the input that arrives and the newest that is read here
   */
  record Level(int index, int step, Stage stage, StageTimes times, int lag) {}

  /**
   * A tap of an operation.
   *
   * @param level the level of the operation
   * @param age planes of the source that arrived after the one that is read
   * @param phase 0 before the barrier of a plane, 1 behind it
   */
  record Use(Level level, Source source, int age, int phase, Node.Tap tap) {
    /** Returns the distance along an axis. */
    int offset(int axis) {
      return tap.offset().get(axis);
    }
  }

  private final ProgramTraits traits;
  private final StencilProgram program;
  private final Map<List<Integer>, StageTimes> known;
  private final List<Stage> stages;
  private final int steps;
  private final List<Level> levels = new ArrayList<>();
  private final List<Use> uses = new ArrayList<>();
  private final Map<Source, Integer> lags = new HashMap<>();
  private final Map<Integer, Source> outputs = new LinkedHashMap<>();

  /** Plans steps of a program. */
  PlanePlan(ProgramTraits traits, int steps) {
    this(traits, steps, new HashMap<>());
  }

  /**
   * Plans steps of a program.
   *
   * @param known the times of its stages as far as they are known, by when their taps arrive; added
   *     to
   */
  PlanePlan(ProgramTraits traits, int steps, Map<List<Integer>, StageTimes> known) {
    this.traits = traits;
    this.known = known;
    program = traits.program();
    stages = traits.stages();
    this.steps = steps;
    for (int index = 0; index < steps * stages.size(); index++) {
      addLevel(index);
    }
    for (Update update : program.updates()) {
      if (steps > 1 || !isRenamed(program, update)) {
        outputs.put(update.field(), producer(steps - 1, update.field()));
      }
    }
  }

  /** Returns whether an update only gives the old cells of another updated field a new name. */
  static boolean isRenamed(StencilProgram program, Update update) {
    return program.nodes().get(update.node()) instanceof Node.Tap tap
        && !tap.updated()
        && tap.field() != update.field()
        && program.updates(tap.field())
        && tap.offset().stream().allMatch(distance -> distance == 0);
  }

  private void addLevel(int index) {
    int step = index / stages.size();
    Stage stage = stages.get(index % stages.size());
    int lag = 0;
    for (Node.Tap tap : taps(stage)) {
      lag = Math.max(lag, lag(source(step, tap)));
    }
    StageTimes times = times(index % stages.size(), step, lag);
    Level level = new Level(index, step, stage, times, lag);
    levels.add(level);
    for (Update update : stage.updates()) {
      lags.put(new Source(index, update.field()), lag + times.resultPlanes(update));
      if (program.nodes().get(update.node()) instanceof Node.Tap tap) {
        uses.add(use(level, tap, times.resultTime(update)));
      }
    }
    for (int operation : times.operations()) {
      for (int input : program.nodes().get(operation).inputs()) {
        if (program.nodes().get(input) instanceof Node.Tap tap) {
          uses.add(use(level, tap, times.time(operation)));
        }
      }
    }
  }

  private StageTimes times(int stage, int step, int lag) {
    ToIntFunction<Node.Tap> arrival =
        tap -> 2 * (tap.offset().get(0) - lag + lag(source(step, tap)));
    List<Integer> key = new ArrayList<>(List.of(stage));
    taps(stages.get(stage)).forEach(tap -> key.add(arrival.applyAsInt(tap)));
    return known.computeIfAbsent(
        key, unknown -> new StageTimes(program, stages.get(stage), arrival));
  }

  private List<Node.Tap> taps(Stage stage) {
    List<Node.Tap> taps = new ArrayList<>();
    for (int node : stage.order()) {
      if (program.nodes().get(node) instanceof Node.Tap tap) {
        taps.add(tap);
      }
    }
    return taps;
  }

  /** Returns a tap as an operation at a time reads it. */
  Use use(Level level, Node.Tap tap, int time) {
    Source source = source(level.step(), tap);
    int age = Math.floorDiv(time, 2) + level.lag() - lag(source) - tap.offset().get(0);
    return new Use(level, source, age, Math.floorMod(time, 2), tap);
  }

  /** Returns where a step finds the planes of a tap. */
  Source source(int step, Node.Tap tap) {
    int field = tap.field();
    if (tap.updated()) {
      return producer(step, field);
    }
    boolean isInput = step == 0 || !program.updates(field);
    return isInput ? new Source(INPUT, field) : producer(step - 1, field);
  }

  private Source producer(int step, int field) {
    for (int s = 0; s < stages.size(); s++) {
      if (stages.get(s).updates().stream().anyMatch(update -> update.field() == field)) {
        return new Source(step * stages.size() + s, field);
      }
    }
    throw new IllegalStateException("no stage updates field " + field);
  }

  /** Returns the planes between the one of the input that arrives and the newest of a source. */
  int lag(Source source) {
    return source.isInput() ? 0 : lags.get(source);
  }

  /** Returns the age at which a result is there, relative to when its plane arrives: 0 or -1. */
  int resultAge(Source source) {
    Level level = levels.get(source.level());
    for (Update update : level.stage().updates()) {
      if (update.field() == source.field()) {
        return -Math.floorMod(level.times().resultTime(update), 2);
      }
    }
    throw new IllegalStateException(source + " is no result");
  }

  ProgramTraits traits() {
    return traits;
  }

  StencilProgram program() {
    return program;
  }

  int steps() {
    return steps;
  }

  List<Level> levels() {
    return levels;
  }

  List<Use> uses() {
    return uses;
  }

  /** Returns whether cells are read that lie in other rows and other columns. */
  boolean readsDiagonally() {
    return uses.stream().anyMatch(use -> use.offset(1) != 0 && use.offset(2) != 0);
  }

  /** Returns the fields that are read, in their order. */
  List<Integer> inputs() {
    return uses.stream()
        .filter(use -> use.source().isInput())
        .map(use -> use.source().field())
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the fields whose results are written, and where these come from. */
  Map<Integer, Source> outputs() {
    return outputs;
  }

  /** Returns the planes after a plane of results when the last of them leave. */
  int longestLag() {
    return outputs.values().stream().mapToInt(this::lag).max().orElse(0);
  }
}
