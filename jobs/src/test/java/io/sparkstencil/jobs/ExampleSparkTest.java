/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.apply.ScalarSeries;
import io.sparkstencil.jobs.apply.SeattleWeather;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example runs as it stands in the project. */
final class ExampleSparkTest {
  /** The row of 2012-07-01: the year has a February of 29 days. */
  private static final int FIRST_OF_JULY = 182;

  @Test
  @Timeout(120)
  void printsTheMeansOfTheFirstDaysOfJuly() throws Exception {
    Path home = Path.of(System.getProperty("stencil.home")).toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(
        List.of(
            "-Xmx600m",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dspark.driver.bindAddress=127.0.0.1",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            home.resolve("examples/java/SeattleTemperatures.java").toString()));
    Process process =
        new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
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
