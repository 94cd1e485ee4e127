/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NearestNameTest {
  private static final List<String> NAMES =
      List.of("max", "mean", "weighted", "derivative", "nearest", "constant:C");

  @ParameterizedTest
  @CsvSource({
    "meen, mean",
    "MEAN, mean",
    "meam, mean",
    "mx, max",
    "maximum, max",
    "deriv, derivative",
    "derivatvie, derivative",
    "waighted, weighted",
    "neerest, nearest",
    "constant, constant:C"
  })
  void namesWhatWasMeant(String word, String name) {
    assertThat(NearestName.of(word, NAMES)).hasValue(name);
    assertThat(NearestName.question(word, NAMES)).isEqualTo("; did you mean " + name + "?");
  }

  @ParameterizedTest
  @CsvSource({"median", "''", "der", "wrap", "a very long word that is like no name at all"})
  void namesNothingThatIsUnlike(String word) {
    assertThat(NearestName.of(word, NAMES)).isEmpty();
    assertThat(NearestName.question(word, NAMES)).isEqualTo(";");
  }

  @Test
  void namesNothingWhereTwoNamesAreAsNear() {
    assertThat(NearestName.of("tpu", List.of("auto", "cpu", "gpu"))).isEmpty();
    assertThat(NearestName.of("man", NAMES)).as("max or mean").isEmpty();
    assertThat(NearestName.of("meon", List.of("max", "loom", "mean"))).hasValue("mean");
  }

  /** An option is often the beginning of another one. */
  @ParameterizedTest
  @CsvSource({
    "--plot-serie, --plot-series",
    "--plots, --plot",
    "--outputformat, --output-format",
    "--output-forma, --output-format",
    "--out, --output",
    "--outptu, --output",
    "--orderby, --order-by",
    "--order_by, --order-by",
    "--step, --steps",
    "--steps-per, --steps-per-exchange"
  })
  void namesTheNearestOfThoseThatBeginAlike(String word, String name) {
    List<String> options =
        List.of(
            "--order",
            "--order-by",
            "--ordered",
            "--output",
            "--output-format",
            "--plot",
            "--plot-series",
            "--plot-unit",
            "--steps",
            "--steps-per-exchange");
    assertThat(NearestName.of(word, options)).hasValue(name);
  }

  @Test
  void namesOfOneLetterAreLikeNoOtherLetter() {
    assertThat(NearestName.of("f", List.of("d", "fg"))).hasValue("fg");
    assertThat(NearestName.of("f", List.of("d"))).isEmpty();
  }
}
