/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.files.TableFormat;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the command {@code apply} reads inputs that are not as Spark would write them. */
final class ApplyInputSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void readsFieldsBetweenOtherSeparatorsAndQuotes() throws IOException {
    Path semicolons = write("UTF-8", "t;v;word", "1;1.0;'a;''b'", "2;3.0;c");
    assertThat(sums(semicolons, "--separator", ";", "--quote", "'"))
        .containsExactly("1 1.0 a;'b 4.0", "2 3.0 c 4.0");

    Path tabs = write("UTF-8", "t\tv\tword", "1\t1.0\t\"a", "2\t3.0\tb\"");
    assertThat(sums(tabs, "--separator", "\\t", "--quote", "none"))
        .containsExactly("1 1.0 \"a 4.0", "2 3.0 b\" 4.0");
  }

  @Test
  void readsTheFirstLineAsARowWhereThereIsNoHeader() throws IOException {
    CommandRun run = apply(write("UTF-8", "1,1.0", "2,3.0"), "_c0", "_c1", "--no-header");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(rows()).containsExactly("1 1.0 4.0", "2 3.0 4.0");
  }

  @Test
  void readsTheNullValueAndEmptyFieldsAsNull() throws IOException {
    Path csv = write("UTF-8", "t,v,word", "1,NA,NA", "2,3.0,", "3,,x");

    assertThat(sums(csv, "--null-value", "NA"))
        .containsExactly("1 null null 3.0", "2 3.0 null 3.0", "3 null x 3.0");
    assertThat(apply(csv, "t", "v", "--overwrite").err())
        .contains("column v holds numbers, but also \"NA\"")
        .contains("--null-value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ISO-8859-1", "windows-1252", "UTF-8", "UTF-16"})
  void readsOtherEncodings(String encoding) throws IOException {
    Path csv = write(encoding, "t,v,stra\u00dfe", "1,1.0,\u00fc", "2,3.0,x");

    assertThat(sums(csv, "--encoding", encoding, "--multi-line"))
        .containsExactly("1 1.0 \u00fc 4.0", "2 3.0 x 4.0");
    assertThat(table().columns()).contains("stra\u00dfe");
    if (!encoding.startsWith("UTF-16")) {
      assertThat(sums(csv, "--encoding", encoding))
          .containsExactly("1 1.0 \u00fc 4.0", "2 3.0 x 4.0");
    }
  }

  @Test
  void readsTimesWithoutAZoneInTheZoneThatIsGiven() throws IOException {
    Path csv = write("UTF-8", "t,v", "2024-07-01 02:00:00,1.0", "2024-07-01T03:00:00Z,3.0");

    assertThat(apply(csv, "t", "v", "--time-zone", "Europe/Rome").exitCode()).isZero();
    assertThat(table().sort("t").collectAsList())
        .extracting(row -> row.<Timestamp>getAs("t").toInstant())
        .containsExactly(
            Instant.parse("2024-07-01T00:00:00Z"), Instant.parse("2024-07-01T03:00:00Z"));
  }

  @Test
  void readsFieldsWithLineBreaks() throws IOException {
    Path csv = write("UTF-8", "t,v,word", "1,1.0,\"a", "b\"", "2,3.0,c");

    assertThat(sums(csv, "--multi-line")).containsExactly("1 1.0 a\nb 4.0", "2 3.0 c 4.0");
    assertThat(apply(csv, "t", "v", "--overwrite").exitCode()).isEqualTo(ExitCode.BAD_DATA);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a[1].csv", "b*.csv", "c?{d,e}.csv", "[x] y"})
  void readsFilesWhoseNamesLookLikePatterns(String name) throws IOException {
    Path csv = write("UTF-8", "t,v", "1,1.0", "2,3.0");
    Files.copy(csv, folder.resolve("a1.csv"));
    Files.copy(csv, folder.resolve("bb.csv"));
    Path odd = Files.move(csv, folder.resolve(name));

    assertThat(sums(odd, "--format", "csv")).containsExactly("1 1.0 4.0", "2 3.0 4.0");
    Files.delete(odd);
    assertThat(apply(odd, "t", "v", "--format", "csv", "--overwrite").exitCode())
        .isEqualTo(name.equals("a[1].csv") || name.equals("b*.csv") ? 0 : ExitCode.USAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t,v,v", "v,t,V", "t,w,w"})
  void refusesColumnsThatShareAName(String header) throws IOException {
    CommandRun run = apply(write("UTF-8", header, "1,1.0,2.0", "2,3.0,4.0"), "t", "v");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.err())
        .contains("in.csv has the column " + header.charAt(header.length() - 1) + " more than once")
        .contains("give each column a name of its own");
  }

  @Test
  void takesColumnsWhoseNamesEndWithTheirPlace() throws IOException {
    Path csv = write("UTF-8", "t,v1,w2", "1,1.0,2.0", "2,3.0,4.0");

    assertThat(apply(csv, "t", "v1").exitCode()).isZero();
    assertThat(apply(csv, "_c0", "_c1", "--no-header", "--overwrite").err()).contains("\"v1\"");
  }

  @Test
  void refusesColumnsThatHoldNoNumbers() throws IOException {
    Path csv = write("UTF-8", "t,v,day", "1,true,2024-07-01", "2,false,2024-07-02");

    assertThat(apply(csv, "t", "v").err())
        .contains("column v is boolean, and --column takes tinyint")
        .contains("write the table with");
    assertThat(apply(csv, "t", "day").err()).contains("column day is date");
    assertThat(apply(csv, "t", "day").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  private List<String> sums(Path csv, String... options) {
    List<String> more = new ArrayList<>(List.of(options));
    more.add("--overwrite");
    CommandRun run = apply(csv, "t", "v", more.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return rows();
  }

  private CommandRun apply(Path input, String order, String column, String... options) {
    List<String> arguments = new ArrayList<>(List.of("apply", "--input", input.toString()));
    arguments.addAll(List.of("--order-by", order, "--column", column));
    arguments.addAll(List.of("--op", "sum", "--radius", "5"));
    arguments.addAll(List.of("--output", folder.resolve("out.parquet").toString()));
    arguments.addAll(List.of(options));
    return CommandRun.of(arguments);
  }

  private Dataset<Row> table() {
    return TableFormat.PARQUET.read(SPARK.session(), folder.resolve("out.parquet").toString());
  }

  private List<String> rows() {
    Dataset<Row> table = table();
    return table.sort(table.columns()[0]).collectAsList().stream()
        .map(row -> row.mkString(" "))
        .toList();
  }

  private Path write(String encoding, String... lines) throws IOException {
    return Files.write(folder.resolve("in.csv"), List.of(lines), Charset.forName(encoding));
  }
}
