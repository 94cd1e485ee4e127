/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Functions made of operations are as near to the true ones as docs/programs.md says. */
final class ElementaryTest {
  private static final int ARGUMENTS = 20_000;

  /** Those of StrictMath are within an ulp, tanh within 2.5. */
  private static final Map<String, DoubleUnaryOperator> TRUE =
      Map.of(
          "sin", StrictMath::sin,
          "cos", StrictMath::cos,
          "exp", StrictMath::exp,
          "log", StrictMath::log,
          "tanh", StrictMath::tanh,
          "atan", StrictMath::atan);

  private static double[] run(String text, ElementType type, Accuracy accuracy, double[] x) {
    StencilProgram program = ProgramText.parse("u' = " + text, 1).withAccuracy(accuracy);
    float[] floats = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      floats[i] = (float) x[i];
    }
    Object cells = type == ElementType.F32 ? floats : x.clone();
    ProgramReference.run(
        program,
        new ProgramArrays(type, Extent.of(x.length), List.of(cells)),
        ParameterValues.NONE,
        1);
    if (cells instanceof double[] doubles) {
      return doubles;
    }
    double[] wide = new double[x.length];
    Arrays.setAll(wide, i -> floats[i]);
    return wide;
  }

  /** Numbers of every size between two, and of both signs if they may be below 0. */
  private static double[] arguments(double least, double most, boolean signed, ElementType type) {
    Random random = new Random(17);
    DoubleStream sizes =
        random
            .doubles(ARGUMENTS / 2, Math.log(least), Math.log(most))
            .map(StrictMath::exp)
            .map(size -> Math.min(most, size));
    DoubleStream even = random.doubles(ARGUMENTS / 2, least, most);
    return DoubleStream.concat(sizes, even)
        .map(x -> signed && random.nextBoolean() ? -x : x)
        .map(x -> type == ElementType.F32 ? (float) x : x)
        .toArray();
  }

  private static double ulp(double x, ElementType type) {
    return type == ElementType.F32 ? Math.ulp((float) x) : Math.ulp(x);
  }

  @ParameterizedTest
  @CsvSource({
    "exp,  1e-10, 700,  true,  F64, 2", "exp,  1e-6, 87,   true,  F32, 2",
    "log,  1e-300, 1e300, false, F64, 3", "log, 1e-37, 1e37, false, F32, 3",
    "log,  0.5, 2, false, F64, 3", "log, 0.5, 2, false, F32, 3",
    "tanh, 1e-10, 40,   true,  F64, 4", "tanh, 1e-6, 20,   true,  F32, 4",
    "atan, 1e-10, 1e10, true,  F64, 3", "atan, 1e-6, 1e6,  true,  F32, 3"
  })
  void differsByFewUnitsInTheLastPlace(
      String function, double least, double most, boolean signed, ElementType type, int units) {
    double[] x = arguments(least, most, signed, type);
    for (Accuracy accuracy : List.of(Accuracy.EXACT, Accuracy.FMA)) {
      double[] found = run(function + "(u)", type, accuracy, x);
      for (int i = 0; i < x.length; i++) {
        double right = TRUE.get(function).applyAsDouble(x[i]);
        double error = Math.abs(found[i] - right) / ulp(right, type);
        assertThat(error)
            .as("units of %s(%s) = %s", function, x[i], found[i])
            .isLessThanOrEqualTo(units);
      }
    }
  }

  /** It is computed by fewer operations. */
  @ParameterizedTest
  @EnumSource(names = {"F32", "F64"})
  void arcTangentHasTheBitsOfTheAngleBesideOne(ElementType type) {
    DoubleStream special =
        DoubleStream.of(0, -0.0, 1, -1, Double.MIN_VALUE, Float.MIN_VALUE, 1e300, 3 / 16D, 9 / 16D)
            .flatMap(x -> DoubleStream.of(x, 1 / x, Math.nextUp(x), Math.nextDown(x)));
    double[] any = arguments(1e-10, 1e10, true, type);
    double[] x = DoubleStream.concat(special, Arrays.stream(any)).toArray();
    for (Accuracy accuracy : Accuracy.values()) {
      assertThat(run("atan(u)", type, accuracy, x))
          .containsExactly(run("atan2(u, 1)", type, accuracy, x));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "sin, 3.294e6, F64, 2.2e-16",
    "cos, 3.294e6, F64, 2.2e-16",
    "sin, 6430, F32, 1.2e-7",
    "cos, 6430, F32, 1.2e-7"
  })
  void sinesHaveASmallError(String function, double most, ElementType type, double least) {
    double[] x = arguments(1e-6, most, true, type);
    for (Accuracy accuracy : List.of(Accuracy.EXACT, Accuracy.FMA)) {
      double[] found = run(function + "(u)", type, accuracy, x);
      double worst = 0;
      for (int i = 0; i < x.length; i++) {
        double right = TRUE.get(function).applyAsDouble(x[i]);
        worst = Math.max(worst, Math.abs(found[i] - right));
      }
      assertThat(worst).isLessThan(least);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exp(u)  | 0 1 -Infinity Infinity NaN 1000 -1000 709.7 -745 | 1 2.718281828459045 0 Infinity NaN Infinity 0 1.6549840276802644E308 4.9E-324",
        "log(u)  | 0 1 -1 Infinity NaN 4.9E-324 1.7976931348623157E308 | -Infinity 0 NaN Infinity NaN -744.4400719213812 709.782712893384",
        "tanh(u) | 0 -0.0 Infinity -Infinity NaN 1e-300 | 0 -0.0 1 -1 NaN 1e-300",
        "atan(u) | 0 Infinity -Infinity NaN 1 | 0 1.5707963267948966 -1.5707963267948966 NaN 0.7853981633974483",
        "sin(u)  | 0 Infinity NaN 1.5707963267948966 | 0 NaN NaN 1",
        "cos(u)  | 0 Infinity NaN 3.141592653589793 | 1 NaN NaN -1",
        "atan2(u, u)  | 0 1 -1 Infinity NaN | 0 0.7853981633974483 -2.356194490192345 0.7853981633974483 NaN",
        "atan2(u, 0)  | 0 5 -5 | 0 1.5707963267948966 -1.5707963267948966",
        "atan2(0*u, u) | 3 -3 | 0 3.141592653589793"
      })
  void specialNumbersAreWhatTheyAreElsewhere(String text, String arguments, String results) {
    double[] x = Arrays.stream(arguments.split(" ")).mapToDouble(Double::parseDouble).toArray();
    double[] right = Arrays.stream(results.split(" ")).mapToDouble(Double::parseDouble).toArray();
    for (Accuracy accuracy : List.of(Accuracy.EXACT, Accuracy.FMA)) {
      double[] found = run(text, ElementType.F64, accuracy, x);
      for (int i = 0; i < x.length; i++) {
        double least = Double.isFinite(right[i]) ? 3 * Math.ulp(right[i]) : 0;
        assertThat(
                found[i] == right[i]
                    || Math.abs(found[i] - right[i]) <= least
                    || Double.isNaN(found[i]) && Double.isNaN(right[i]))
            .as("%s of %s is %s, not %s", text, x[i], found[i], right[i])
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "sin, F64, 3.2942e6 1e7 1e17 1e300 1.7e308", "cos, F64, 3.2942e6 1e7 1e17 1e300 1.7e308",
    "sin, F32, 6436 1e5 1e6 1e7 1e10 3e38", "cos, F32, 6436 1e5 1e6 1e7 1e10 3e38"
  })
  void sinesOfAnglesThatLoseDigitsAreNotNumbers(String function, ElementType type, String sizes) {
    double[] sized = Arrays.stream(sizes.split(" ")).mapToDouble(Double::parseDouble).toArray();
    double[] x = DoubleStream.of(sized).flatMap(size -> DoubleStream.of(size, -size)).toArray();
    for (Accuracy accuracy : List.of(Accuracy.EXACT, Accuracy.FMA)) {
      assertThat(run(function + "(u)", type, accuracy, x)).containsOnly(Double.NaN);
    }
  }

  @Test
  void floatsReachTheirLastPowers() {
    double[] x = {88.7, -103, 89, -104};
    assertThat(run("exp(u)", ElementType.F32, Accuracy.EXACT, x))
        .containsExactly(
            (float) StrictMath.exp(88.7f), Float.MIN_VALUE, Double.POSITIVE_INFINITY, 0);
    assertThat(run("log(u)", ElementType.F32, Accuracy.EXACT, new double[] {Float.MIN_VALUE}))
        .containsExactly((float) StrictMath.log(Float.MIN_VALUE));
  }

  @Test
  void anglesOfPointsAreThoseOfAllQuadrants() {
    for (double angle = -3.1; angle < 3.14; angle += 0.01) {
      double[] y = {StrictMath.sin(angle)};
      double found =
          run("atan2(u, %s)".formatted(StrictMath.cos(angle)), ElementType.F64, Accuracy.EXACT, y)[
              0];
      double right = StrictMath.atan2(y[0], StrictMath.cos(angle));
      assertThat(Math.abs(found - right)).isLessThanOrEqualTo(4 * Math.ulp(right));
    }
  }
}
