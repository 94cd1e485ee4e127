/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.survey.MadeUpSurvey;
import io.sparkstencil.survey.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SurveyFileTest {
  @TempDir private Path folder;

  private final SurveyResult result = MadeUpSurvey.result(MadeUpSurvey.device(), 1);

  @Test
  void readsWhatItHasWritten() {
    SurveyResult read = SurveyFile.parse(SurveyFile.text(result), "text");

    assertThat(read).isEqualTo(result);
  }

  @Test
  void noPredictionIsNull() {
    String text = SurveyFile.text(result);

    assertThat(text).contains("\"predicted\" : null").doesNotContain("NaN");
    Measured padded =
        SurveyFile.parse(text, "text")
            .answers()
            .get(0)
            .finding()
            .charts()
            .get(0)
            .curves()
            .get(2)
            .points()
            .get(0);
    assertThat(padded.predicted()).isNaN();
  }

  @Test
  void ignoresFieldsOfLaterVersionsOfTheProject() {
    String text = SurveyFile.text(result).replace("\"uuid\"", "\"color\" : 3, \"uuid\"");

    assertThat(SurveyFile.parse(text, "text")).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"formatVersion\" : 1 | \"formatVersion\" : 2 | has format version 2, but this command reads version 1; survey",
        "spark-stencil survey | fruit survey | is no survey: it does not say \"format\": \"spark-stencil survey\"; name a",
        "\"uuid\" | \"guid\" | is no survey: a field \"uuid\" is missing; name a",
        "\"name\" : \"banks\" | \"name\" : \"Banks!\" | an experiment is called Banks!",
        "\"answers\" | \"replies\" | a field \"answers\" is missing",
        "\"repeats\" : 15 | \"repeats\" : \"many\" | is no survey: Cannot deserialize value of type `int`",
      })
  void saysWhatIsWrongWithATextAndWhatToDo(String right, String wrong, String message) {
    String text = SurveyFile.text(result);
    assertThat(text).contains(right);

    assertThatThrownBy(() -> SurveyFile.parse(text.replace(right, wrong), "a.json"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageStartingWith("a.json ")
        .hasMessageContaining(message);
  }

  @Test
  void saysWhatIsWrongWithAFile() throws IOException {
    Path file = folder.resolve("a.json");
    assertRefused(file, "a.json does not exist; run bin/stencil survey");
    for (String text : new String[] {"", "no JSON", "[]", "3"}) {
      Files.writeString(file, text);
      assertRefused(file, "a.json is no survey: ");
    }
    assertRefused(folder, "cannot be read");
  }

  private static void assertRefused(Path file, String message) {
    assertThatThrownBy(() -> SurveyFile.read(file))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(message);
  }
}
