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
import javax.imageio.ImageIO;
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

  @Test
  void writesOutWhatATerminalObeysInHeadersAndValues() throws IOException {
    Path csv = write("UTF-8", "t,v\u001b[31m", "1,x\u001b]0;title\u0007", "2,y");

    CommandRun run = apply(csv, "t", "v\u001b[31m");

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err())
        .contains("column v\\u001b[31m holds text, such as \"x\\u001b]0;title\\u0007\"")
        .doesNotContain("\u001b", "\u0007");
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

  @Test
  void notesNumbersThatDoubleCannotHold() throws IOException {
    CommandRun run = apply(write("UTF-8", "t,v,w", "1,1.5,1e400", "2,3,4"), "t", "v");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.errorLines())
        .containsExactly(
            "stencil: note: column w has numbers that double cannot hold, such as 1e400, which is read and written as Infinity");
  }

  @Test
  void notesBytesThatAreNoCharacters() throws IOException {
    Path csv = write("ISO-8859-1", "t,v,word", "1,1.0,\u00fc", "2,3.0,x");

    assertThat(apply(csv, "t", "v").err())
        .contains("note: --input " + csv + " holds bytes that are no characters in UTF-8")
        .contains("--encoding");
    assertThat(apply(csv, "t", "v", "--encoding", "ISO-8859-1", "--overwrite").err()).isEmpty();
  }

  @Test
  void takesQuotesInTheNamesOfColumns() throws IOException {
    CommandRun run = apply(write("UTF-8", "t,\"a\"\"b\"", "1,1.0", "2,3.0"), "t", "a\"b");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(table().columns()).containsExactly("t", "a\"b", "a\"b_sum");
  }

  @Test
  void takesFieldsOfStructs() throws IOException {
    Path json =
        Files.writeString(
            folder.resolve("in.json"),
            "{\"p\":{\"t\":1,\"v\":2.0,\"k\":\"a\"}}\n{\"p\":{\"t\":2,\"v\":3.0,\"k\":\"a\"}}\n");
    Path plot = folder.resolve("plot.png");
    CommandRun run = apply(json, "p.t", "p.v", "--partition-by", "P.k", "--plot", plot.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(table().columns()).containsExactly("p", "p.v_sum");
    assertThat(rows()).containsExactly("[a,1,2.0] 5.0", "[a,2,3.0] 5.0");
    assertThat(apply(json, "p.t", "p.speed", "--overwrite").err())
        .contains("there is no column p.speed; the table has p, p.k, p.t, p.v");
    assertThat(apply(json, "p.t", "p", "--overwrite").err())
        .contains("column p is a struct; name one of its fields, p.t, p.v");
  }

  @Test
  void refusesCsvOfColumnsThatItCannotHold() {
    Path in = folder.resolve("in.parquet");
    SPARK
        .session()
        .sql(
            "select id t, id v, struct(id) s, array(id) a, map(id, id) m, cast('x' as binary) b from range(3)")
        .write()
        .parquet(in.toString());

    CommandRun run = apply(in, "t", "v", "--output-format", "csv");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains("csv, which has no columns such as s (struct), a (array), m (map), b (binary);")
        .contains("--output-format parquet");
    assertThat(folder.resolve("out.parquet")).doesNotExist();
    assertThat(apply(in, "t", "v", "--output-format", "json").exitCode()).isZero();
  }

  @Test
  void readsAllFilesOfAPattern() throws IOException {
    Files.writeString(folder.resolve("day1.csv"), "t,v\n1,1.0\n");
    Files.writeString(folder.resolve("day2.csv"), "t,v\n2,3.0\n");

    assertThat(sums(folder.resolve("day?.csv"))).containsExactly("1 1.0 4.0", "2 3.0 4.0");

    Files.writeString(folder.resolve("day2.csv"), "t,v,w\n2,3.0,4.0\n");
    CommandRun run = apply(folder.resolve("day?.csv"), "t", "v", "--overwrite");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.err()).contains("day2.csv, line 1: 3 fields where the first row has 2");

    Files.writeString(folder.resolve("day2.csv"), "t,w\n2,3.0\n");
    run = apply(folder.resolve("day?.csv"), "t", "v", "--overwrite");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.err()).contains("day2.csv").contains("is not that of the first file");
  }

  @Test
  void saysWhereJsonIsMalformed() throws IOException {
    Path json =
        Files.writeString(folder.resolve("in.json"), "{\"t\":1,\"v\":2}\n{\"t\":2,\"v\":\n");
    CommandRun lines = apply(json, "t", "v");
    CommandRun whole = apply(json, "t", "v", "--multi-line");
    Files.writeString(json, "{\"t\":1,\"v\":2}\n{\"t\":2;\"v\":3}\n");
    CommandRun wrong = apply(json, "t", "v", "--overwrite");

    assertThat(lines.exitCode()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(lines.err())
        .contains("in.json, line 2 is no JSON: Unexpected end-of-input")
        .contains("--multi-line")
        .doesNotContain("SQLSTATE");
    assertThat(wrong.err()).contains("in.json, line 2 is no JSON").doesNotContain("--multi-line");
    assertThat(whole.err()).doesNotContain("is no JSON"); // the first object is whole
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc"})
  void saysThatAFileIsDamaged(String format) throws IOException {
    Path damaged = Files.writeString(folder.resolve("in." + format), "PAR1ORC, and then something");
    CommandRun run = apply(damaged, "t", "v");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.err())
        .contains("is damaged, or")
        .contains("--format")
        .doesNotContain("SQLSTATE");
  }

  @Test
  void namesTheRowWhoseSumOverflows() throws IOException {
    CommandRun run = apply(write("UTF-8", "t,v", "1,9223372036854775807", "2,1"), "t", "v");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.errorLines())
        .containsExactly(
            "stencil: long overflow of v_sum in the row t = 1, v = 9223372036854775807; make the column double, or have sums wrap with --conf spark.sql.ansi.enabled=false");
  }

  @Test
  void plotsOverTextAndMoreThanFourSeries() throws IOException {
    List<String> lines = new ArrayList<>(List.of("day,k,v"));
    for (int k = 0; k < 6; k++) {
      lines.addAll(List.of("mon,%d,1.0".formatted(k), "tue,%d,3.0".formatted(k)));
    }
    Path csv = write("UTF-8", lines.toArray(String[]::new));
    Path plot = folder.resolve("plot.png");
    String[] four = {"--partition-by", "k", "--plot", plot.toString()};
    CommandRun first = apply(csv, "day", "v", four);
    int height = ImageIO.read(plot.toFile()).getHeight();
    CommandRun all =
        apply(
            csv,
            "day",
            "v",
            four[0],
            four[1],
            four[2],
            four[3],
            "--plot-series",
            "9",
            "--overwrite");

    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.err()).contains("shows the first 4 series; show more with --plot-series");
    assertThat(all.err()).doesNotContain("--plot-series");
    assertThat(ImageIO.read(plot.toFile()).getHeight()).isEqualTo(height / 4 * 6);
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
