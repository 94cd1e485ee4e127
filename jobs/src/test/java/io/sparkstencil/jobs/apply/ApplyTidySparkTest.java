/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.ExitCode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that repeat and steps that are missing, put right before stencils. */
final class ApplyTidySparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  private static final String HOUR = "2012-03-01T%02d:%02d:00.000Z";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "first | a,1,10,x a,2,20,y b,1,90,u",
        "last | a,1,13,z a,2,20,y b,1,92,w",
      })
  void keepsTheRowThatIsFirstOrLastInTheInput(String which, String rows) throws IOException {
    write("in/b.csv", "s,t,v,word", "a,1,13,z", "b,1,92,w");
    write("in/a.csv", "s,t,v,word", "b,1,90,u", "a,2,20,y", "a,1,10,x", "a,1,12,n");

    CommandRun run = apply("in", "t", "v", "--partition-by s --dedupe " + which);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(lines()).containsExactlyInAnyOrder(("s,t,v,word " + rows).split(" "));
  }

  @Test
  void joinsRowsToTheMeanOfTheColumnsAndTheFirstRowsRest() throws IOException {
    write(
        "in.csv",
        "t,v,w,word",
        "3,1,5,c",
        "1,10,,a",
        "1,13,6,b",
        "1,,9,d",
        ",7,8,none",
        ",9,8,none");

    CommandRun run = apply("in.csv", "t", "v,w", "--op count --preceding 1 --dedupe mean");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(lines())
        .containsExactly(
            "t,v,w,word,v_count,w_count",
            ",7.0,8.0,none,1,1",
            ",9.0,8.0,none,2,2",
            "1,11.5,7.5,a,2,2",
            "3,1.0,5.0,c,2,2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none | 00:10.0 01:null 02:null 03:16.0 04:null 05:4.0",
        "previous | 00:10.0 01:10.0 02:10.0 03:16.0 04:16.0 05:4.0",
        "linear | 00:10.0 01:12.0 02:14.0 03:16.0 04:10.0 05:4.0",
      })
  void makesEqualStepsOfMeans(String fill, String expected) throws IOException {
    write(
        "in.csv",
        "t,v,word",
        HOUR.formatted(3, 10) + ",15,c",
        HOUR.formatted(0, 59) + ",12,a",
        HOUR.formatted(3, 0) + ",17,c",
        HOUR.formatted(0, 1) + ",8,a",
        HOUR.formatted(4, 30) + ",,d",
        HOUR.formatted(5, 0) + ",4,e",
        ",99,e");

    CommandRun run = apply("in.csv", "t", "v", "--resample 1h --fill " + fill);

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> rows = new ArrayList<>(List.of("t,v"));
    for (String each : expected.split(" ")) {
      String[] parts = each.split(":");
      rows.add(HOUR.formatted(Integer.parseInt(parts[0]), 0) + "," + parts[1].replace("null", ""));
    }
    assertThat(lines()).containsExactlyElementsOf(rows);
  }

  @Test
  void theLastStepsWithoutValuesStayEmptyUnlessThePreviousFillsThem() throws IOException {
    write("in.csv", "t,v", "0,", "10,1", "30,");

    assertThat(apply("in.csv", "t", "v", "--resample 10 --fill linear").exitCode()).isZero();
    assertThat(lines()).containsExactly("t,v", "0,", "10,1.0", "20,", "30,");
    assertThat(apply("in.csv", "t", "v", "--overwrite --resample 10 --fill previous").err())
        .isEmpty();
    assertThat(lines()).containsExactly("t,v", "0,", "10,1.0", "20,1.0", "30,1.0");
  }

  @Test
  void seriesHaveStepsOfTheirOwnAndStencilsGoOverThem() throws IOException {
    write(
        "in.csv", "s,d,v", "a,2012-01-02,1", "a,2012-01-18,3", "b,2012-01-15,5", "b,2012-01-29,9");

    CommandRun run =
        apply(
            "in.csv",
            "d",
            "v",
            "--partition-by s --resample 1w --fill linear --op sum,max --radius 1");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(lines()) // weeks begin on Mondays
        .containsExactlyInAnyOrder(
            "s,d,v,v_sum,v_max",
            "a,2012-01-02,1.0,3.0,2.0",
            "a,2012-01-09,2.0,6.0,3.0",
            "a,2012-01-16,3.0,5.0,3.0",
            "b,2012-01-09,5.0,12.0,7.0",
            "b,2012-01-16,7.0,21.0,9.0",
            "b,2012-01-23,9.0,16.0,9.0");
  }

  @Test
  void stepsOfTimesWithoutZoneAndOfNumbersBelowZero() throws IOException {
    SPARK
        .session()
        .sql(
            "SELECT TIMESTAMP_NTZ'1969-12-31 23:59:59.5' AS t, -0.25D AS x, 1D AS v UNION ALL SELECT TIMESTAMP_NTZ'1970-01-01 00:00:01.25', 0.75D, 3D")
        .write()
        .parquet(folder.resolve("in.parquet").toString());

    assertThat(apply("in.parquet", "t", "v", "--resample 500ms --fill linear").err()).isEmpty();
    assertThat(lines())
        .containsExactly(
            "t,v",
            "1969-12-31T23:59:59.500,1.0",
            "1970-01-01T00:00:00.000,1.6666666666666665",
            "1970-01-01T00:00:00.500,2.333333333333333",
            "1970-01-01T00:00:01.000,3.0");
    assertThat(apply("in.parquet", "x", "v", "--overwrite --resample 0.5 --fill previous").err())
        .isEmpty();
    assertThat(lines()).containsExactly("x,v", "-0.5,1.0", "0.0,1.0", "0.5,3.0");
  }

  @ParameterizedTest
  @CsvSource({"double, 0.1", "float, 0.1", "'decimal(9, 2)', 0.1", "double, 0.05", "double, 0.01"})
  void multiplesOfAFractionBeginTheirSteps(String type, String step) throws IOException {
    SPARK
        .session()
        .sql(
            "SELECT CAST(id * %1$sBD AS %2$s) AS x, CAST(id AS DOUBLE) AS v FROM range(100) UNION ALL SELECT %3$s, 7D"
                .formatted(
                    step, type, type.startsWith("dec") ? "null" : "CAST('NaN' AS " + type + ")"))
        .coalesce(1)
        .write()
        .parquet(folder.resolve("in.parquet").toString());

    CommandRun run = apply("in.parquet", "x", "v", "--resample " + step);

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> expected = new ArrayList<>(List.of("x,v"));
    for (int i = 0; i < 100; i++) {
      String x = new BigDecimal(step).multiply(BigDecimal.valueOf(i)).toPlainString();
      String begin = type.startsWith("dec") ? x + "0" : String.valueOf(Double.parseDouble(x));
      expected.add(begin + "," + (double) i);
    }
    assertThat(lines()).containsExactlyElementsOf(expected);
  }

  @Test
  void aStepThatIsTooShortForAGapIsRefused() throws IOException {
    write("in.csv", "t,v", "0,1", "20000000,2");

    CommandRun run = apply("in.csv", "t", "v", "--resample 1");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.errorLines())
        .singleElement()
        .asString()
        .contains("--resample 1 makes more than 10,000,000 steps between two neighbouring rows");
    assertThat(folder.resolve("out.csv")).doesNotExist();
  }

  @Test
  void aFieldOfAStructKeepsItsRowsButNotAMean() throws IOException {
    write("in.json", "{\"t\":1,\"p\":{\"v\":2}}", "{\"t\":1,\"p\":{\"v\":4}}");

    assertThat(apply("in.json", "t", "p.v", "--dedupe mean --output-format json").err())
        .contains("--dedupe mean changes columns, and p.v is a field of one; use first or last");
    assertThat(apply("in.json", "t", "p.v", "--dedupe last --output-format json").exitCode())
        .isZero();
    assertThat(lines()).containsExactly("{\"p\":{\"v\":4},\"t\":1}");
  }

  private CommandRun apply(String input, String order, String columns, String options) {
    List<String> words =
        new ArrayList<>(List.of("apply", "--input", folder.resolve(input).toString()));
    words.addAll(List.of("--order-by", order, "--column", columns));
    words.addAll(List.of("--output", folder.resolve("out.csv").toString()));
    words.addAll(List.of(options.split(" ")));
    return CommandRun.of(words);
  }

  private void write(String name, String... lines) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
  }

  private List<String> lines() throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder.resolve("out.csv"))) {
      for (Path part :
          files
              .filter(each -> each.getFileName().toString().startsWith("part-"))
              .sorted()
              .toList()) {
        List<String> lines = Files.readAllLines(part);
        boolean repeated = !all.isEmpty() && lines.get(0).equals(all.get(0));
        all.addAll(repeated ? lines.subList(1, lines.size()) : lines);
      }
    }
    return all;
  }
}
