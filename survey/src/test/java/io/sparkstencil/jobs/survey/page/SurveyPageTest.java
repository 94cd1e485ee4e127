/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.survey.MadeUpSurvey;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of a survey, and the same as text. */
final class SurveyPageTest {
  private static final SurveyResult RESULT = MadeUpSurvey.result(MadeUpSurvey.device(), 1);
  private static final String PAGE =
      SurveyPage.text(
          RESULT,
          (experiment, chart) ->
              SurveyPicture.draw(experiment.name() + "-" + chart.name(), chart, Trace.of(chart)));

  @Test
  void standsInOneFile() {
    assertThat(PAGE).startsWith("<!DOCTYPE html").endsWith("</html>");
    assertThat(PAGE).doesNotContain("<script", "<link", "<img", "@import", "url(http");
    assertThat(find(PAGE, "(?:href|src)=\"([^\"#]+)\"")).isEmpty();
    assertThat(PAGE).contains("@media print");
    assertThat(PAGE.split("<svg ", -1)).hasSize(1 + 3);
  }

  @Test
  void linksLeadToSectionsAndNamesAreUnique() {
    List<String> names = find(PAGE, " id=\"([^\"]+)\"");

    assertThat(names).doesNotHaveDuplicates().contains("banks", "sizes", "texture");
    assertThat(names).containsAll(find(PAGE, "href=\"#([^\"]+)\""));
  }

  @Test
  void asksBeforeItAnswers() {
    String section = PAGE.substring(PAGE.indexOf("<section class=\"experiment\" id=\"banks\""));

    assertThat(section)
        .containsSubsequence(
            "What does a stride in shared memory cost?",
            "A made-up book says that odd strides are free.",
            "</svg>",
            "A stride of 32 words costs 32 times as much as one of 1.",
            "Whether tiles are padded.");
  }

  @Test
  void theOverviewHasDeviceLimitsAndClaims() {
    String overview = PAGE.substring(0, PAGE.indexOf("<section"));

    assertThat(overview)
        .contains("Imaginary 100", "GPU-1", "140 GiB", "1980 MHz")
        .containsSubsequence("peak of the data sheet", "4600 GB/s")
        .containsSubsequence("What you read, what holds here", "Padding halves the time.", "partly")
        .contains("0.5 times at stride 32 alone");
  }

  @Test
  void textOfExperimentsIsNeverMarkup() {
    assertThat(PAGE).contains("read &amp; written, &lt;twice&gt;");
  }

  @Test
  void saysWhyThereIsNothingToDraw() {
    String section = PAGE.substring(PAGE.indexOf("<section class=\"experiment\" id=\"texture\""));

    assertThat(section).contains("This device has no textures.").doesNotContain("<svg", "decides");
  }

  @Test
  void theTextHasThePicturesAndAllFigures() {
    String text = SurveyText.of(RESULT);

    assertThat(text)
        .startsWith("# Survey of Imaginary 100\n")
        .contains("![Time of a read by stride](banks-strides.svg)")
        .contains("| 4-byte reads | 32 | 32.3 | 32 | 1.01 | 1.0 % | 15 |  |")
        .contains("| padded | 32 | 1.50 | - | - | 1.0 % | 15 |  |")
        .contains("| Padding halves the time. | partly | 0.5 times at stride 32 alone |")
        .contains("What the engine decides by it: The size of batches.");
  }

  @Test
  void cellsOfTablesStayInTheirCells() {
    assertThat(new Markdown().table(List.of("a"), List.of(List.of("x|y\nz"))))
        .hasToString("| a |\n| --- |\n| x\\|y z |\n");
  }

  private static List<String> find(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .map(found -> found.replaceAll("^[^\"]*\"#?|\"$", ""))
        .toList();
  }
}
