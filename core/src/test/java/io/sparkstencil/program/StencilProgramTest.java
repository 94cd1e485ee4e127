/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.generate.Differences;
import io.sparkstencil.program.text.ProgramText;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class StencilProgramTest {
  private static StencilProgram line(UnaryOperator<Expression> right) {
    return StencilProgram.of(
        1,
        p -> {
          Field u = p.field("u");
          p.update(u, right.apply(u.here()));
        });
  }

  private static void refused(Consumer<ProgramBuilder> definition, String... parts) {
    assertThatThrownBy(() -> StencilProgram.of(2, definition))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void theThreeWaysToWriteAProgramGiveEqualPrograms() {
    StencilProgram built =
        StencilProgram.of(
            2,
            p -> {
              Field u = p.field("u");
              Expression a = p.parameter("a");
              Expression sum =
                  u.at(-1, 0)
                      .plus(u.at(0, -1))
                      .minus(Expression.constant(4).times(u.here()))
                      .plus(u.at(0, 1))
                      .plus(u.at(1, 0));
              p.update(u, u.here().plus(a.times(sum)));
            });
    StencilProgram generated =
        StencilProgram.of(
            2,
            p -> {
              Field u = p.field("u");
              Expression laplacian = Differences.laplacian(u, 2);
              p.update(u, u.here().plus(p.parameter("a").times(laplacian)));
            });
    StencilProgram written =
        ProgramText.parse("u' = u + a*(u[-1,0] + u[0,-1] - 4*u + u[0,1] + u[1,0])");
    StencilProgram named = ProgramText.parse("lap = laplacian(u, 2); u' = u + a*lap", 2);

    assertThat(List.of(generated, written, named)).containsOnly(built);
    assertThat(Stream.of(built, generated, written, named).map(StencilProgram::digest)).hasSize(4);
    assertThat(Stream.of(built, generated, written, named).map(StencilProgram::digest))
        .containsOnly(built.digest());
  }

  /** Stored schedules are found by digests: with a change of this one, all are tuned anew. */
  @Test
  void digestsStayFromVersionToVersion() {
    StencilProgram program =
        ProgramText.parse("u' = u[0,0] + dt*where(x < 0.1, laplacian(u, 4), c[1,0]); c' = u'[0,1]")
            .withBoundary(Boundary.constant(2e-3))
            .withAccuracy(Accuracy.FMA);

    assertThat(program.digest())
        .isEqualTo("3f00fa05e3b2f14d3d61792c511cff54ebe145650be6e382f4faf7462ebf7aaa");
  }

  @Test
  void programsThatDifferHaveDifferentDigests() {
    Set<String> digests =
        Stream.of(
                line(u -> u),
                line(Expression::abs),
                line(u -> u.plus(0.0)),
                line(u -> u.plus(-0.0)),
                line(u -> u.minus(0.0)),
                line(u -> u).withAccuracy(Accuracy.FMA),
                line(u -> u).withAccuracy(Accuracy.FAST),
                line(u -> u).withBoundary(Boundary.WRAP),
                line(u -> u).withBoundary(Boundary.constant(0)),
                line(u -> u).withBoundary(Boundary.constant(-0.0)),
                line(u -> u).withBoundary(Boundary.constant(Double.NaN)),
                ProgramText.parse("u' = u", 2),
                ProgramText.parse("u' = v[0]"),
                ProgramText.parse("u' = a", 1),
                ProgramText.parse("u' = u; v' = u", 1),
                ProgramText.parse("u' = u; v' = u'", 1),
                ProgramText.parse("u' = u[1]"),
                ProgramText.parse("u' = u[0] - v[0]"),
                ProgramText.parse("u' = v[0] - u[0]"))
            .map(StencilProgram::digest)
            .collect(Collectors.toSet());
    assertThat(digests).hasSize(19);
  }

  @Test
  void digestsDoNotDependOnNames() {
    StencilProgram program = ProgramText.parse("u' = u[-1] + a*c[0]*x");
    StencilProgram renamed =
        ProgramText.parse("wave' = wave[-1] + dt*speed[0]*depth", List.of("depth"));

    assertThat(renamed.digest()).isEqualTo(program.digest());
    assertThat(renamed).isNotEqualTo(program);
  }

  @Test
  void equalPartsAreOneNodeHoweverTheyAreWritten() {
    StencilProgram program = ProgramText.parse("u' = (u[1] - u[0])*(u[1] - u[0])");

    assertThat(program.nodes()).hasSize(4);
    assertThat(program).hasToString("t1 = u[1] - u[0]; u' = t1 * t1");
    assertThat(ProgramTraits.of(program).operations()).isEqualTo(2);
  }

  @Test
  void fieldsAreThoseThatAreUpdatedAndThenThoseThatAreRead() {
    StencilProgram program = ProgramText.parse("v' = c[0]*u + b; u' = a*v'; t = w[0]*e", 1);

    assertThat(program.fields()).containsExactly("v", "u", "c");
    assertThat(program.parameters()).containsExactly("b", "a");
    assertThat(program.updates(1)).isTrue();
    assertThat(program.updates(2)).isFalse();
    assertThat(program.field("c")).isEqualTo(2);
    assertThatThrownBy(() -> program.field("w"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContainingAll("no field w", "[v, u, c]");
  }

  @Test
  void refusesNamesThatATextCouldNotRead() {
    refused(p -> p.field("x"), "x is an axis", "another name");
    refused(p -> p.parameter("y"), "y is an axis");
    refused(p -> p.field("min"), "min has a meaning", "another name");
    refused(p -> p.parameter("and"), "and has a meaning");
    refused(p -> p.field("1st"), "\"1st\" is no name", "letters");
    refused(p -> p.field(""), "is no name");
    refused(p -> p.update(new Field("or", 2), Expression.constant(1)), "or has a meaning");
    refused(p -> p.update(p.field("u"), new Field("u v", 2).here()), "\"u v\" is no name");
    refused(p -> p.update(p.field("u"), new Expression.Parameter("")), "is no name");
    refused(
        p -> p.update(p.field("u"), p.field("a").here().plus(p.parameter("a"))),
        "a is a field and a parameter");
    assertThatThrownBy(() -> StencilProgram.of(List.of("x", "x"), p -> {}))
        .hasMessageContainingAll("[x, x] have equal names", "its own");
    assertThatThrownBy(() -> StencilProgram.of(List.of("sqrt"), p -> {}))
        .hasMessageContaining("sqrt has a meaning");
  }

  @Test
  void refusesWhatIsNoProgram() {
    refused(p -> {}, "without updates", "update a field");
    refused(p -> p.update(p.field("u"), p.field("u").at(1)), "2 axes", "[1] has 1");
    refused(p -> p.update(p.field("u"), new Field("u", 1).here()), "1 distances", "[x, y]");
    refused(p -> p.coordinate(2), "axis 2", "0 to 1");
    refused(p -> p.update(p.field("u"), new Expression.Coordinate(-1)), "axis -1", "0 to 1");
    assertThat(ProgramText.parse("u[1024] + u[-1024]").nodes()).hasSize(3);
    refused(p -> p.field("u").at(1025, 0), "u[1025, 0] reaches 1025 cells", "1024", "windows");
    refused(p -> p.field("u").at(0, Integer.MIN_VALUE), "reaches 2147483648 cells");
    refused(
        p -> p.update(p.field("u"), p.field("u").here().lessThan(Expression.constant(1))),
        "u is set to a condition",
        "select");
    refused(
        p -> {
          p.update(p.field("u"), p.field("u").here());
          p.update(p.field("u"), p.field("u").here());
        },
        "updated twice");
    refused(p -> p.update(p.field("u"), p.field("u").updated()), "u' is read before u is updated");
    refused(p -> p.update(p.field("u"), p.field("c").updated(1, 0)), "c' is read before");
    for (int dimensions : new int[] {0, 4, -1}) {
      assertThatThrownBy(() -> StencilProgram.of(dimensions, p -> {}))
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContainingAll("with " + dimensions + " axes", "1 to 3");
    }
  }

  @Test
  void refusesOperandsOfTheWrongKind() {
    Expression number = Expression.constant(2);
    Expression condition = number.lessThan(number);
    for (Runnable wrong :
        List.<Runnable>of(
            () -> number.plus(condition),
            condition::negated,
            () -> condition.lessThan(number),
            () -> Expression.select(condition, condition, number))) {
      assertThatThrownBy(wrong::run).hasMessageContaining("condition is used as a number");
    }
    for (Runnable wrong :
        List.<Runnable>of(
            number::not,
            () -> condition.and(number),
            () -> Expression.select(number, number, number))) {
      assertThatThrownBy(wrong::run).hasMessageContaining("number is used as a condition");
    }
    assertThatThrownBy(() -> number.over(-0.0)).hasMessageContaining("division by the constant 0");
    assertThatThrownBy(() -> number.plus(Double.NaN)).hasMessageContaining("NaN is not finite");
    assertThatThrownBy(() -> new Expression.Apply(Operation.FMA, List.of(number)))
        .hasMessageContaining("FMA takes 3 operands, but got 1");
  }

  /** Expressions of any depth are built, printed in parts and read again. */
  @Test
  void takesDeepExpressionsUpToTheNumberOfNodes() {
    List<UnaryOperator<Expression>> chains =
        List.of(
            e -> e.plus(1),
            e -> Expression.constant(1).minus(e),
            Expression::negated,
            e -> Expression.constant(1).min(e),
            e -> Expression.select(e.lessThan(Expression.constant(3)), e, e.sqrt()),
            e -> Expression.select(e.lessThan(e.plus(1)).not().not().not(), e, e.abs()));
    for (UnaryOperator<Expression> chain : chains) {
      for (int length : new int[] {10, 150, 500}) {
        StencilProgram program =
            line(
                u -> {
                  Expression e = u;
                  for (int i = 0; i < length; i++) {
                    e = chain.apply(e);
                  }
                  return e;
                });
        assertThat(ProgramText.parse(program.toString(), 1)).isEqualTo(program);
        assertThat(ProgramTraits.of(program).operations()).isGreaterThanOrEqualTo(length);
      }
    }
    assertThat(sumOf(4096).nodes()).hasSize(4096);
    assertThatThrownBy(() -> sumOf(4097))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContainingAll("more than 4096", "split it");
  }

  private static StencilProgram sumOf(int nodes) {
    return line(
        u -> {
          Expression sum = u;
          for (int i = 1; i < nodes; i++) {
            sum = sum.plus(u);
          }
          return sum;
        });
  }

  @Test
  void boundariesAreOfAFieldAndASide() {
    StencilProgram program = ProgramText.parse("u' = u[1,0] + v[0,1]");
    FieldBoundary sides =
        new FieldBoundary(
            List.of(Boundary.constant(1), Boundary.WRAP), List.of(Boundary.NEAREST, Boundary.WRAP));

    assertThat(program.boundaries())
        .containsOnly(FieldBoundary.uniform(Boundary.REFLECT, 2))
        .hasSize(2);
    assertThat(program.withBoundary("v", sides).boundaries().get(1)).isEqualTo(sides);
    assertThat(sides.format(program.axes()))
        .isEqualTo("x.low=constant:1.0, x.high=nearest, y=wrap");
    assertThat(sides.beside(0, -3)).isEqualTo(Boundary.constant(1));
    assertThat(sides.beside(0, 3)).isEqualTo(Boundary.NEAREST);
    assertThatThrownBy(() -> program.withBoundary("u", FieldBoundary.uniform(Boundary.WRAP, 1)))
        .hasMessageContainingAll("rules for 1 axes", "[x, y]");
    assertThatThrownBy(() -> new FieldBoundary(List.of(Boundary.WRAP), List.of(Boundary.NEAREST)))
        .hasMessageContainingAll("wrap on one side", "both sides or on none");
    assertThatThrownBy(() -> FieldBoundary.uniform(Boundary.VALID, 2))
        .hasMessageContainingAll("valid leaves cells without a value", "reflect");
    assertThatThrownBy(() -> new FieldBoundary(Collections.nCopies(2, Boundary.WRAP), List.of()))
        .hasMessageContainingAll("2 rules", "0 after");
  }
}
