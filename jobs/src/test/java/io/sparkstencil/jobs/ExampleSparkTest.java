/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.apply.ScalarSeries;
import io.sparkstencil.jobs.apply.SeattleWeather;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README runs as it stands in the project. */
final class ExampleSparkTest {
  /** The row of 2012-07-01: the year has a February of 29 days. */
  static final int FIRST_OF_JULY = 182;

  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void printsTheMeansOfTheFirstDaysOfJuly() throws Exception {
    Path home = Path.of(System.getProperty("stencil.home")).toAbsolutePath();
    String said =
        new UserProgram(home.resolve("examples/java/SeattleTemperatures.java"))
            .run(folder, home.resolve("examples/data/seattle-weather.csv").toString());

    Double[] means =
        new ScalarSeries(SeattleWeather.column("temp_max")).apply(Stencil.mean(Frame.radius(15)));
    String mean =
        BigDecimal.valueOf(means[FIRST_OF_JULY])
            .setScale(3, RoundingMode.HALF_UP)
            .stripTrailingZeros()
            .toPlainString();
    assertThat(said.lines().filter(line -> line.startsWith("|2012-07-0"))).hasSize(5);
    assertThat(said.lines().filter(line -> line.startsWith("|2012-07-01|")).findFirst())
        .hasValueSatisfying(line -> assertThat(line).contains("|" + mean + "|"));
  }
}
