/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Reach;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Several steps of a program as a chain of levels: each stage of each step is one. A level reads
 * the variables that reach it, computes the updates of its stage, and hands on what later levels
 * read.
 */
public final class Levels {
  private static final Comparator<Variable> IN_ORDER =
      Comparator.comparing(Variable::field).thenComparing(Variable::updated);

  private final ProgramTraits traits;
  private final int steps;

  /** For each level, what it or a later one reads; behind the last level, the results. */
  private final List<List<Variable>> live = new ArrayList<>();

  /** Finds what each level of several steps reads. */
  public Levels(ProgramTraits traits, int steps) {
    this.traits = traits;
    this.steps = steps;
    StencilProgram program = traits.program();
    List<Variable> results =
        program.updates().stream().map(update -> new Variable(update.field(), true)).toList();
    live.add(results);
    for (int level = count() - 1; level >= 0; level--) {
      Set<Variable> needed = new LinkedHashSet<>();
      for (Variable variable : live.get(0)) {
        needed.add(endsStep(level) ? afterStep(variable) : variable);
      }
      Stage stage = stage(level);
      for (Update update : stage.updates()) {
        needed.remove(new Variable(update.field(), true));
      }
      for (Node.Tap tap : taps(stage)) {
        needed.add(new Variable(tap.field(), tap.updated()));
      }
      live.add(0, needed.stream().sorted(IN_ORDER).toList());
    }
  }

  private List<Node.Tap> taps(Stage stage) {
    return stage.order().stream()
        .map(traits.program().nodes()::get)
        .filter(Node.Tap.class::isInstance)
        .map(Node.Tap.class::cast)
        .toList();
  }

  /** Returns what a variable of the next step is in this one. */
  private Variable afterStep(Variable variable) {
    return new Variable(variable.field(), traits.program().updates(variable.field()));
  }

  /** Returns whether a level is the last one of a step that another one follows. */
  private boolean endsStep(int level) {
    return stageIndex(level) == traits.stages().size() - 1 && level < count() - 1;
  }

  /** Returns the number of levels. */
  public int count() {
    return steps * traits.stages().size();
  }

  public int step(int level) {
    return level / traits.stages().size();
  }

  public int stageIndex(int level) {
    return level % traits.stages().size();
  }

  public Stage stage(int level) {
    return traits.stages().get(stageIndex(level));
  }

  /**
   * Returns the variables that reach a level: those that it or a later one reads. Those behind the
   * last level, {@code count()}, are the results.
   */
  public List<Variable> live(int level) {
    return live.get(level);
  }

  /** Returns the fields whose cells the first level reads. */
  public List<Integer> inputs() {
    return live(0).stream().map(Variable::field).toList();
  }

  /** Returns the fields whose cells the last level leaves. */
  public List<Integer> outputs() {
    return live(count()).stream().map(Variable::field).toList();
  }

  /** Returns what the next level calls a variable, which is not live there if nobody reads it. */
  public Variable next(int level, Variable variable) {
    boolean old = !variable.updated() && traits.program().updates(variable.field());
    if (!endsStep(level) || old) {
      return variable;
    }
    return new Variable(variable.field(), false);
  }

  /** Returns whether the next level or a later one reads a variable of this one. */
  public boolean isHandedOn(int level, Variable variable) {
    boolean outdated =
        stageIndex(level) == traits.stages().size() - 1
            && !variable.updated()
            && traits.program().updates(variable.field());
    return !outdated && live.get(level + 1).contains(next(level, variable));
  }

  /** Returns the variables that a level hands on as they are. */
  public List<Variable> carried(int level) {
    return live.get(level).stream().filter(variable -> isHandedOn(level, variable)).toList();
  }

  /**
   * Returns the cells along an axis before a result that all its operands need, those between the
   * stages among them: where these are outside of a field, a boundary says what they are.
   */
  public int before(int axis) {
    return steps * IntStream.range(0, traits.stages().size()).map(s -> low(s, axis)).sum();
  }

  /** Returns the cells along an axis behind a result that all its operands need. */
  public int after(int axis) {
    return steps * IntStream.range(0, traits.stages().size()).map(s -> high(s, axis)).sum();
  }

  /** Returns how far a stage reads along an axis before a cell. */
  public int low(int stage, int axis) {
    return reaches(stage).mapToInt(reach -> reach.low().get(axis)).max().orElse(0);
  }

  /** Returns how far a stage reads along an axis behind a cell. */
  public int high(int stage, int axis) {
    return reaches(stage).mapToInt(reach -> reach.high().get(axis)).max().orElse(0);
  }

  private Stream<Reach> reaches(int stage) {
    Stage read = traits.stages().get(stage);
    return IntStream.range(0, 2 * traits.program().fields().size())
        .mapToObj(i -> traits.reach(read, i / 2, i % 2 == 1));
  }
}
