/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.programs.RandomPrograms;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Stages and reach of programs at random, against what following each read of a cell finds. */
final class StagesAndReachTest {
  private static final int PROGRAMS = 3000;

  /** A cell that the result at position 0 depends on. */
  private record Read(int field, List<Integer> offset) {}

  private static List<Integer> sum(List<Integer> a, List<Integer> b) {
    List<Integer> sum = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      sum.add(a.get(i) + b.get(i));
    }
    return sum;
  }

  /** Returns the taps that a node needs, by following its operands. */
  private static void taps(
      StencilProgram program, int node, Set<Integer> seen, Set<Node.Tap> taps) {
    if (!seen.add(node)) {
      return;
    }
    if (program.nodes().get(node) instanceof Node.Tap tap) {
      taps.add(tap);
    }
    program.nodes().get(node).inputs().forEach(input -> taps(program, input, seen, taps));
  }

  private static Set<Node.Tap> taps(StencilProgram program, Update update) {
    Set<Node.Tap> taps = new HashSet<>();
    taps(program, update.node(), new HashSet<>(), taps);
    return taps;
  }

  /** Returns the old cells that each update reads, through those before it. */
  private static List<Set<Read>> reads(StencilProgram program) {
    List<Set<Read>> reads = new ArrayList<>();
    for (Update update : program.updates()) {
      Set<Read> own = new HashSet<>();
      for (Node.Tap tap : taps(program, update)) {
        if (tap.updated()) {
          reads
              .get(tap.field())
              .forEach(read -> own.add(new Read(read.field(), sum(read.offset(), tap.offset()))));
        } else {
          own.add(new Read(tap.field(), tap.offset()));
        }
      }
      reads.add(own);
    }
    return reads;
  }

  @Test
  void reachIsTheBoxOfAllCellsThatAStepReads() {
    RandomPrograms programs = new RandomPrograms(1);
    for (int i = 0; i < PROGRAMS; i++) {
      StencilProgram program = programs.next();
      ProgramTraits traits = ProgramTraits.of(program);
      for (int field = 0; field < program.fields().size(); field++) {
        for (int axis = 0; axis < program.dimensions(); axis++) {
          int low = 0;
          int high = 0;
          for (Set<Read> reads : reads(program)) {
            for (Read read : reads) {
              if (read.field() == field) {
                low = Math.max(low, -read.offset().get(axis));
                high = Math.max(high, read.offset().get(axis));
              }
            }
          }
          Reach reach = traits.reach().get(field);
          assertThat(List.of(reach.low().get(axis), reach.high().get(axis)))
              .as("%s: field %d, axis %d", program, field, axis)
              .containsExactly(low, high);
        }
      }
    }
  }

  private static int stage(StencilProgram program, int update) {
    return taps(program, program.updates().get(update)).stream()
        .filter(Node.Tap::updated)
        .mapToInt(tap -> stage(program, tap.field()) + 1)
        .max()
        .orElse(0);
  }

  @Test
  void eachUpdateIsInTheFirstStageThatFindsItsOperands() {
    RandomPrograms programs = new RandomPrograms(2);
    for (int i = 0; i < PROGRAMS; i++) {
      StencilProgram program = programs.next();
      List<Stage> stages = program.stages();
      List<Update> staged = stages.stream().flatMap(stage -> stage.updates().stream()).toList();

      assertThat(staged).containsExactlyInAnyOrderElementsOf(program.updates());
      for (int s = 0; s < stages.size(); s++) {
        for (Update update : stages.get(s).updates()) {
          assertThat(s).as(program.toString()).isEqualTo(stage(program, update.field()));
        }
      }
    }
  }

  @Test
  void aStageHasTheNodesThatItsUpdatesNeedOperandsFirst() {
    RandomPrograms programs = new RandomPrograms(3);
    for (int i = 0; i < PROGRAMS; i++) {
      StencilProgram program = ProgramTraits.of(programs.next()).program();
      for (Stage stage : program.stages()) {
        Set<Integer> needed = new HashSet<>();
        stage.updates().forEach(update -> taps(program, update.node(), needed, new HashSet<>()));
        assertThat(stage.order()).containsExactlyInAnyOrderElementsOf(needed);
        Set<Integer> done = new HashSet<>();
        for (int node : stage.order()) {
          assertThat(done).containsAll(program.nodes().get(node).inputs());
          done.add(node);
        }
      }
    }
  }

  @Test
  void reachOfAStageIsThatOfItsOwnCells() {
    RandomPrograms programs = new RandomPrograms(4);
    for (int i = 0; i < 500; i++) {
      ProgramTraits traits = ProgramTraits.of(programs.next());
      for (Stage stage : traits.stages()) {
        for (Update update : stage.updates()) {
          for (Node.Tap tap : taps(traits.program(), update)) {
            Reach reach = traits.reach(stage, tap.field(), tap.updated());
            for (int axis = 0; axis < traits.program().dimensions(); axis++) {
              assertThat(tap.offset().get(axis))
                  .isBetween(-reach.low().get(axis), reach.high().get(axis));
            }
          }
        }
      }
    }
  }
}
