/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way of evaluating a function gives the same bits: engines, operator, generated code. */
@WithSpark
final class ArrayEvaluationSparkTest {
  private static final List<String> BOUNDARIES =
      List.of("valid", "shrink", "constant:3", "nearest", "reflect", "mirror", "wrap");
  private static final List<String> PARAMETERS = List.of("2", "0, 5", "-1, 3", "4, -2", "40");
  private static final List<String> SPECIAL =
      List.of("NaN", "Infinity", "-Infinity", "-0.0", "0.0", "1e-40", "3.4e38");

  static List<String> calls() {
    List<String> calls = new ArrayList<>();
    for (String boundary : BOUNDARIES) {
      for (String function : List.of("mean", "sum", "min", "max", "count")) {
        for (String parameters : PARAMETERS) {
          calls.add("stencil_%s(a, %s, '%s')".formatted(function, parameters, boundary));
        }
      }
      for (String call :
          List.of(
              "correlate(a, array(0.25D, -1D, 3D, 0.1D)",
              "convolve(a, array(1D, 2D, 4D)",
              "derivative(a, 1, 4, 0.5D",
              "gaussian(a, 1D",
              "savgol(a, 3, 2, 1",
              "iterate(a, array(0.2D, 0.5D, 0.3D), 4")) {
        calls.add("stencil_%s, '%s')".formatted(call, boundary));
      }
    }
    return calls;
  }

  static String arrays(String type, Random random) {
    List<String> rows = new ArrayList<>();
    for (int length : new int[] {0, 1, 2, 7, 33, 100}) {
      for (double nulls : new double[] {0, 0.3, 1}) {
        rows.add(
            IntStream.range(0, length)
                .mapToObj(i -> random.nextDouble() < nulls ? "NULL" : element(type, random))
                .collect(Collectors.joining(",", "(array(", "))")));
      }
    }
    rows.add("(NULL)");
    return rows.stream()
        .map(row -> row.replace("array()", "array()"))
        .collect(Collectors.joining(", "));
  }

  private static String element(String type, Random random) {
    if (type.equals("int")) {
      return Integer.toString(random.nextInt(-1 << 30, 1 << 30));
    } else if (type.equals("bigint")) {
      return random.nextLong(-1L << 60, 1L << 60) + "L";
    }
    String number =
        random.nextInt(20) == 0
            ? SPECIAL.get(random.nextInt(SPECIAL.size()))
            : Double.toString(random.nextGaussian());
    return "%s('%s')".formatted(type, number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"float", "double", "int", "bigint"})
  void allWaysGiveTheSameBits(String type) {
    long seed = 20261121;
    String rows = arrays(type, new Random(seed));
    List<String> calls = calls();
    int perQuery = 40;
    for (int from = 0; from < calls.size(); from += perQuery) {
      String query =
          query(calls.subList(from, Math.min(calls.size(), from + perQuery)), type, rows);
      String expected = with("reference", ArraySession.Mode.BATCHED, query);
      assertThat(with("cpu", ArraySession.Mode.BATCHED, query))
          .as("seed %d", seed)
          .isEqualTo(expected);
      if (from % (3 * perQuery) == 0) {
        assertThat(with("auto", ArraySession.Mode.GENERATED, query)).isEqualTo(expected);
        assertThat(with("auto", ArraySession.Mode.INTERPRETED, query)).isEqualTo(expected);
      }
    }
  }

  static String query(List<String> calls, String type, String rows) {
    return "SELECT %s FROM (SELECT CAST(a AS array<%s>) AS a FROM VALUES %s AS t(a))"
        .formatted(String.join(", ", calls), type, rows);
  }

  /** The text of a number tells its bits, but for the payload of a NaN. */
  static String with(String engine, ArraySession.Mode mode, String query) {
    ArraySession.get().conf().set("spark.stencil.engine", engine);
    try {
      return ArraySession.collect(mode, query).stream()
          .map(Row::toString)
          .collect(Collectors.joining("\n"));
    } finally {
      ArraySession.get().conf().unset("spark.stencil.engine");
    }
  }
}
