/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.programs.RandomPrograms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds for every program, over programs at random. */
final class EveryProgramTest {
  private static final int PROGRAMS = 4000;

  private static StencilProgram read(StencilProgram program) {
    StencilProgram read = ProgramText.parse(program.toString(), program.axes());
    return BoundaryText.apply(read.withBoundary(Boundary.WRAP), BoundaryText.format(program))
        .withAccuracy(program.accuracy());
  }

  /** Returns the program with names by number. */
  private static StencilProgram namedAlike(StencilProgram program) {
    return new StencilProgram(
        StencilProgram.axes(program.dimensions()),
        numbered("f", program.fields()),
        numbered("p", program.parameters()),
        program.nodes(),
        program.updates(),
        program.boundaries(),
        program.accuracy());
  }

  private static List<String> numbered(String prefix, List<String> names) {
    return IntStream.range(0, names.size()).mapToObj(i -> prefix + i).toList();
  }

  @Test
  void printsATextThatReadsAsTheSameProgram() {
    RandomPrograms programs = new RandomPrograms(20261122);
    for (int i = 0; i < PROGRAMS; i++) {
      StencilProgram program = programs.next();
      StencilProgram read = read(program);

      assertThat(read).as(program.toString()).isEqualTo(program);
      assertThat(read.digest()).isEqualTo(program.digest());
      assertThat(BoundaryText.format(read)).isEqualTo(BoundaryText.format(program));
      assertThat(read).hasSameHashCodeAs(program).hasToString(program.toString());
    }
  }

  /** The contracted graph is numbered differently, but it is a program as well. */
  @Test
  void printsContractedProgramsSoThatReadingThemComputesTheSame() {
    RandomPrograms programs = new RandomPrograms(5);
    for (int i = 0; i < PROGRAMS / 4; i++) {
      StencilProgram contracted =
          ProgramTraits.of(programs.next().withAccuracy(Accuracy.FMA)).program();
      StencilProgram read = read(contracted);

      assertThat(read(read)).isEqualTo(read);
      assertThat(read.nodes()).hasSameSizeAs(contracted.nodes());
      assertThat(read.fields()).containsExactlyInAnyOrderElementsOf(contracted.fields());
    }
  }

  @Test
  void differsInDigestFromEveryProgramThatIsNotEqual() {
    RandomPrograms programs = new RandomPrograms(7);
    Set<StencilProgram> distinct = new HashSet<>();
    Set<String> digests = new HashSet<>();
    for (int i = 0; i < PROGRAMS; i++) {
      StencilProgram program = programs.next();
      StencilProgram namesAlone = namedAlike(program);
      if (distinct.add(namesAlone)) {
        assertThat(digests.add(namesAlone.digest())).as(program.toString()).isTrue();
      }
      assertThat(namesAlone.digest()).isEqualTo(program.digest());
    }
  }

  @Test
  void keepsItsGraphWhenSerialized() throws IOException, ClassNotFoundException {
    RandomPrograms programs = new RandomPrograms(8);
    for (int i = 0; i < 200; i++) {
      StencilProgram program = programs.next();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(program);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        assertThat(in.readObject()).isEqualTo(program);
      }
    }
  }

  /** Else the tests above would show less than they say. */
  @Test
  void isOfEveryOperationLeafAndDimensionAtRandom() {
    Set<Operation> operations = EnumSet.noneOf(Operation.class);
    Set<Object> seen = new HashSet<>();
    RandomPrograms programs = new RandomPrograms(20261122);
    for (int i = 0; i < 500; i++) {
      StencilProgram program = programs.next();
      seen.add(program.dimensions());
      seen.add("stages " + Math.min(3, program.stages().size()));
      seen.add("updates " + program.updates().size());
      for (Node node : program.nodes()) {
        seen.add(node.getClass());
        if (node instanceof Node.Apply apply) {
          operations.add(apply.operation());
        } else if (node instanceof Node.Tap tap) {
          seen.add(tap.updated() ? "updated" : "old");
          seen.add(program.updates(tap.field()) ? "state" : "coefficient");
        }
      }
    }
    assertThat(operations).containsExactlyInAnyOrder(Operation.values());
    assertThat(seen)
        .contains(1, 2, 3, "stages 1", "stages 2", "stages 3", "updates 1", "updates 4")
        .contains("updated", "old", "state", "coefficient")
        .contains(Node.Constant.class, Node.Parameter.class, Node.Coordinate.class);
  }
}
