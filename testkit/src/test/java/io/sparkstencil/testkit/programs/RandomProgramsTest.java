/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RandomProgramsTest {
  private static boolean has(StencilProgram program, Operation operation) {
    return program.nodes().stream()
        .anyMatch(node -> node instanceof Node.Apply apply && apply.operation() == operation);
  }

  private static ProgramCase first(long seed, Predicate<ProgramCase> wanted) {
    RandomPrograms programs = new RandomPrograms(seed);
    return Stream.generate(programs::nextCase).filter(wanted).findFirst().orElseThrow();
  }

  @Test
  void theSameSeedGivesTheSameCases() {
    RandomPrograms one = new RandomPrograms(4);
    RandomPrograms other = new RandomPrograms(4);
    for (int i = 0; i < 50; i++) {
      ProgramCase test = one.nextCase();
      assertThat(other.nextCase()).isEqualTo(test).hasToString(test.toString());
      assertThat(Arrays.deepToString(test.arrays().arrays().toArray()))
          .isEqualTo(Arrays.deepToString(test.arrays().arrays().toArray()));
      assertThat(test.parameters().value(1, 2)).isEqualTo(test.parameters().value(1, 2));
    }
  }

  @Test
  void casesHaveFewAndManyCellsOddAndEven() {
    List<Integer> sizes =
        Stream.generate(new RandomPrograms(5)::nextCase)
            .limit(500)
            .peek(test -> assertThat(test.extent().cells()).isLessThan(5000))
            .flatMap(test -> test.extent().sizes().stream())
            .toList();

    assertThat(sizes).contains(1, 2, 3, 17, 18, 40).anyMatch(size -> size > 600);
  }

  @Test
  void whatAlwaysFailsShrinksToAlmostNothing() {
    ProgramCase test = first(6, each -> each.program().updates().size() == 4);
    ProgramCase smallest = ProgramShrinker.shrink(test, each -> true);

    assertThat(smallest.program()).hasToString(smallest.program().fields().get(0) + "' = 1");
    assertThat(smallest.extent().cells()).isEqualTo(1);
    assertThat(smallest.steps()).isEqualTo(1);
    assertThat(smallest.kind()).isEqualTo(CellMix.ORDINARY);
    assertThat(smallest.program().accuracy()).isEqualTo(Accuracy.EXACT);
  }

  @Test
  void aFailureKeepsWhatItNeeds() {
    Predicate<ProgramCase> fails =
        test ->
            has(test.program(), Operation.SQRT)
                && test.steps() > 2
                && test.program().boundaries().stream()
                    .anyMatch(rules -> rules.low().contains(Boundary.WRAP))
                && test.program().nodes().stream()
                    .anyMatch(node -> node instanceof Node.Tap tap && tap.offset().get(0) < -2);
    ProgramCase smallest = ProgramShrinker.shrink(first(7, fails), fails);

    assertThat(fails).accepts(smallest);
    assertThat(smallest.steps()).isEqualTo(3);
    assertThat(smallest.program().nodes()).hasSizeLessThanOrEqualTo(4);
    assertThat(smallest.program().toString()).contains("[-3", "sqrt(");
  }

  @Test
  void theReferenceConformsToItself() {
    assertThatCode(() -> ProgramConformance.requireReferenceResults(ProgramReference::run, 8, 100))
        .doesNotThrowAnyException();
  }

  @Test
  void anEngineThatMistakesABoundaryIsReportedWithASmallCase() {
    assertThatThrownBy(
            () ->
                ProgramConformance.requireReferenceResults(
                    (program, arrays, parameters, steps) ->
                        ProgramReference.run(
                            program.withBoundary(Boundary.NEAREST), arrays, parameters, steps),
                    9,
                    500))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(
            "of seed 9, made small", "differs in cell", "1 steps", "boundaries")
        .satisfies(
            e ->
                assertThat(e.getMessage()).matches("(?s).*\\R[a-z]+' = [a-z]+\\[[-\\d,]+\\]\\R.*"));
  }

  @Test
  void anEngineThatThrowsIsReportedWithItsException() {
    assertThatThrownBy(
            () ->
                ProgramConformance.requireReferenceResults(
                    (program, arrays, parameters, steps) -> {
                      throw new IllegalStateException("no " + program.nodes().size());
                    },
                    10,
                    1))
        .hasMessageContaining("IllegalStateException: no 1");
  }
}
