/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions give what NumPy and SciPy say (src/test/python/array_expectations.py). */
@WithSpark(options = "spark.sql.debug.maxToStringFields=25") // plans in full
final class ArrayExpectationsSparkTest {
  private static final int CALLS_PER_QUERY = 150;

  private record Case(String call, String type, String input, String expected) {}

  private static List<Case> cases(String type) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                ArrayExpectationsSparkTest.class.getResourceAsStream("/arrays/expectations.tsv"),
                StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .map(line -> line.split("\t", -1))
          .map(parts -> new Case(parts[0], parts[1], parts[2], parts[3]))
          .filter(known -> known.type().equals(type))
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"float", "double", "int", "bigint"})
  void functionsGiveTheValuesOfNumPyAndSciPy(String type) throws IOException {
    List<Case> cases = cases(type);
    assertThat(cases).hasSizeGreaterThan(400);
    List<String> inputs = cases.stream().map(Case::input).distinct().toList();
    String rows =
        inputs.stream()
            .map(input -> "(CAST(array(%s) AS array<%s>))".formatted(input, type))
            .collect(Collectors.joining(", "));
    Map<String, List<Case>> byCall =
        cases.stream()
            .collect(Collectors.groupingBy(Case::call, LinkedHashMap::new, Collectors.toList()));
    List<String> calls = List.copyOf(byCall.keySet());
    for (int from = 0; from < calls.size(); from += CALLS_PER_QUERY) {
      List<String> some = calls.subList(from, Math.min(calls.size(), from + CALLS_PER_QUERY));
      String query = "SELECT %s FROM VALUES %s AS t(a)".formatted(String.join(", ", some), rows);
      List<Row> batched = collect(ArraySession.Mode.BATCHED, query);
      check(some, byCall, inputs, batched, tolerance(type));
      if (from % (2 * CALLS_PER_QUERY) == 0) {
        assertThat(collect(ArraySession.Mode.GENERATED, query)).hasToString(batched.toString());
        assertThat(collect(ArraySession.Mode.INTERPRETED, query)).hasToString(batched.toString());
      }
    }
  }

  private static double tolerance(String type) {
    return type.equals("float") ? 1e-5 : 1e-9;
  }

  private static List<Row> collect(ArraySession.Mode mode, String query) {
    return ArraySession.collect(mode, query);
  }

  private static void check(
      List<String> calls,
      Map<String, List<Case>> byCall,
      List<String> inputs,
      List<Row> rows,
      double tolerance) {
    for (int column = 0; column < calls.size(); column++) {
      for (Case known : byCall.get(calls.get(column))) {
        List<Object> actual = rows.get(inputs.indexOf(known.input())).getList(column);
        List<Double> expected = numbers(known.expected());
        assertThat(actual).as(known.toString()).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
          requireEqual(known, i, actual.get(i), expected.get(i), tolerance);
        }
      }
    }
  }

  private static void requireEqual(
      Case known, int index, Object actual, Double expected, double tolerance) {
    if (expected == null) {
      assertThat(actual).as("%s at %d", known, index).isNull();
      return;
    }
    double difference = Math.abs(((Number) actual).doubleValue() - expected);
    assertThat(difference)
        .as("%s at %d: %s", known, index, actual)
        .isLessThanOrEqualTo(tolerance * Math.max(1, magnitude(known)));
  }

  /** Returns the greatest number in sight, which rounding errors are relative to. */
  private static double magnitude(Case known) {
    return numbers(known.input() + "," + known.expected()).stream()
        .filter(number -> number != null)
        .mapToDouble(Math::abs)
        .max()
        .orElse(0);
  }

  private static List<Double> numbers(String text) {
    List<Double> numbers = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (!part.isEmpty()) {
        numbers.add(part.equals("null") ? null : (Double) Double.parseDouble(part));
      }
    }
    return numbers;
  }
}
