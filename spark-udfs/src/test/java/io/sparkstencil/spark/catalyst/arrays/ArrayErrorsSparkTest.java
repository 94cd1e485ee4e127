/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sparkstencil.spark.WithSpark;
import org.apache.spark.sql.AnalysisException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong calls are refused while the query is analysed, in Spark's terms. */
@WithSpark
final class ArrayErrorsSparkTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          stencil_mean(a)                            | WRONG_NUM_ARGS.WITHOUT_SUGGESTION       | [2, 3, 4]
          stencil_mean(a, 1, 1, 'valid', 3)          | WRONG_NUM_ARGS.WITHOUT_SUGGESTION       | 5
          stencil_mean(1, 1)                         | DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE | "ARRAY" of "FLOAT"
          stencil_mean(array('x'), 1)                | DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE | "ARRAY<STRING>"
          stencil_mean(array(true), 1)               | DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE | "ARRAY<BOOLEAN>"
          stencil_mean(map(1, 2), 1)                 | DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE | "MAP<INT, INT>"
          stencil_mean(a, 1.5)                       | DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE | "INTEGRAL"
          stencil_mean(a, k)                         | DATATYPE_MISMATCH.NON_FOLDABLE_INPUT    | `k`
          stencil_mean(a, NULL)                      | DATATYPE_MISMATCH.UNEXPECTED_NULL       | k
          stencil_correlate(a, array(1D, NULL))      | DATATYPE_MISMATCH.UNEXPECTED_NULL       | weights
          stencil_mean(a, 3000000000)                | DATATYPE_MISMATCH                       | k is 3000000000
          stencil_mean(a, -1)                        | DATATYPE_MISMATCH                       | radius -1 is below 0
          stencil_mean(a, -2, 1)                     | DATATYPE_MISMATCH                       | is empty
          stencil_mean(a, 1, 'mirrored')             | DATATYPE_MISMATCH                       | unknown boundary "mirrored"
          stencil_min(i, 1, 'constant:0.5')          | DATATYPE_MISMATCH                       | no value of I32
          stencil_correlate(a, array())              | DATATYPE_MISMATCH                       | at least one weight
          stencil_correlate(a, array(double('NaN'))) | DATATYPE_MISMATCH                       | weights must be finite
          stencil_iterate(a, array(1D), 0)           | DATATYPE_MISMATCH                       | at least once
          stencil_gaussian(a, 0)                     | DATATYPE_MISMATCH                       | sigma
          stencil_derivative(a, 0, 2, 1)             | DATATYPE_MISMATCH                       | order
          stencil_savgol(a, 1, 3)                    | DATATYPE_MISMATCH                       | degree
          """)
  void wrongCallsAreRefused(String call, String condition, String message) {
    String query =
        "SELECT %s FROM VALUES (array(1F, 2F), array(1, 2), 1) AS t(a, i, k)".formatted(call);
    AnalysisException error =
        catchThrowableOfType(AnalysisException.class, () -> ArraySession.get().sql(query));
    assertThat(error).as(call).isNotNull();
    assertThat(error.getCondition()).startsWith(condition);
    assertThat(error.getMessage()).contains(message);
  }
}
