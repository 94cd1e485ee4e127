/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.csv.CsvTable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CSV files are found to hold what Spark finds in them, whether a job looks or not. */
@WithSpark
final class CsvTablesSparkTest {
  private static final Map<String, String> OPTIONS =
      Map.of("header", "true", "inferSchema", "true", "mode", "FAILFAST", "escape", "\"");

  private static final String[] FIELDS = {
    "1",
    "-7",
    "12345678901",
    "12345678901234567890",
    "1.5",
    "1e400",
    "0.12345678901234567890",
    "NaN",
    "",
    "true",
    "2024-07-01",
    "2024-07-01 02:00:00",
    "2024-07-01T03:00:00Z",
    "word",
    "\"a,\"\"b\"\"\"",
    " 5 "
  };

  private static SparkSession spark;
  @TempDir private Path folder;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  /** 17 files are too many to be looked through here, one is not. */
  @ParameterizedTest
  @ValueSource(ints = {1, 17})
  void findsTheTypesThatSparkInfers(int files) throws IOException {
    Random random = new Random(files);
    for (int round = 0; round < 4; round++) {
      Path table = Files.createDirectory(folder.resolve("table" + round));
      // A few kinds of fields for each column, so that types differ.
      int[][] kinds = new int[8][1 + random.nextInt(2)];
      for (int[] kind : kinds) {
        for (int i = 0; i < kind.length; i++) {
          kind[i] = random.nextInt(FIELDS.length);
        }
      }
      for (int file = 0; file < files; file++) {
        StringBuilder text = new StringBuilder("a,b, c ,\"d,\",,f,g,h\n");
        for (int row = 0; row < 5; row++) {
          for (int column = 0; column < kinds.length; column++) {
            int[] kind = kinds[column];
            text.append(column == 0 ? "" : ",").append(FIELDS[kind[random.nextInt(kind.length)]]);
          }
          text.append(row % 2 == 0 ? "\n" : "\r\n\n");
        }
        Files.writeString(table.resolve("part-" + file + ".csv"), text);
      }
      assertFound(table, OPTIONS, 5L * files);
    }
  }

  @Test
  void readsLineBreaksEncodingsMarksAndCompressedFilesAsSparkDoes() throws IOException {
    Path breaks = folder.resolve("breaks.csv");
    Files.writeString(breaks, "t,word\n1,\"a\nb\"\n2,c\n");
    assertFound(breaks, with("multiLine", "true"), 2);

    Path latin = folder.resolve("latin.csv");
    Files.writeString(latin, "t,stra\u00dfe\n1,\u00fc\n", StandardCharsets.ISO_8859_1);
    assertFound(latin, with("encoding", "ISO-8859-1"), 1);

    Path wide = folder.resolve("wide.csv");
    Files.writeString(wide, "t,v\n1,2\n", Charset.forName("UTF-16"));
    Map<String, String> wideOptions = with("encoding", "UTF-16");
    wideOptions.put("multiLine", "true");
    assertFound(wide, wideOptions, 1);

    Path marked = folder.resolve("marked.csv");
    Files.writeString(marked, "\uFEFFt,v\n1,2\n");
    assertFound(marked, OPTIONS, 1);

    Path packed = folder.resolve("packed.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write("t,v\n1,2\n2,3\n".getBytes(StandardCharsets.UTF_8));
    }
    assertFound(packed, OPTIONS, 2);

    Path keyed = Files.createDirectories(folder.resolve("keyed/station=7"));
    Files.writeString(keyed.resolve("part.csv"), "t,v\n1,2\n");
    assertFound(keyed.getParent(), OPTIONS, 1);
  }

  @Test
  void namesNumbersThatDoubleCannotHoldAndBytesThatAreNoCharacters() throws IOException {
    Path csv = folder.resolve("in.csv");
    Files.write(
        csv,
        List.of(
            "t,a,b,c,d,none",
            "1,0.1,12345678901234567890,5.50,9007199254740993,",
            "2,1e400,1.0,0.30000000000000004,1.5,"));
    CsvTable found = CsvTables.at(spark, csv.toString(), OPTIONS);

    assertThat(found.inexact())
        .isEqualTo(Map.of("a", "1e400", "b", "12345678901234567890", "d", "9007199254740993"));
    assertThat(found.empty()).containsExactly("none");
    assertThat(found.undecodable()).isFalse();

    Files.writeString(csv, "t,word\n1,\u00fc\n", StandardCharsets.ISO_8859_1);
    assertThat(CsvTables.at(spark, csv.toString(), OPTIONS).undecodable()).isTrue();
    Files.writeString(csv, "t,\u00fc\n1,word\n", StandardCharsets.ISO_8859_1);
    assertThat(CsvTables.at(spark, csv.toString(), OPTIONS).undecodable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 17})
  void saysOnWhichLineARowIsMalformed(int files) throws IOException {
    for (int i = 0; i < files; i++) {
      Files.writeString(folder.resolve("part-%02d.csv".formatted(i)), "t,v\n1,2\n");
    }
    String last = "part-%02d.csv".formatted(files - 1);
    Files.writeString(folder.resolve(last), "t,v\n1,2\n\n2,\"a\nb\"\n");

    assertThatThrownBy(() -> CsvTables.at(spark, folder.toString(), OPTIONS))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining(last + ", line 5: 1 field where the first row has 2: b\"")
        .hasMessageContaining("--multi-line");
  }

  @Test
  void namesTheSeparatorWhereTheHeaderIsOneField() throws IOException {
    Path csv = Files.writeString(folder.resolve("in.csv"), "t;v\n1;1,5\n");

    assertThatThrownBy(() -> CsvTables.at(spark, csv.toString(), OPTIONS))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("line 2: 2 fields where the first row has 1: 1;1,5; correct the row,")
        .hasMessageContaining("--separator");
  }

  @Test
  void findsNothingInAnEmptyFile() throws IOException {
    Path csv = Files.writeString(folder.resolve("in.csv"), "\n \n");

    CsvTable found = CsvTables.at(spark, csv.toString(), OPTIONS);

    assertThat(found.schema().isEmpty()).isTrue();
    assertThat(found.rows()).isZero();
  }

  private static Map<String, String> with(String key, String value) {
    Map<String, String> options = new HashMap<>(OPTIONS);
    options.put(key, value);
    return options;
  }

  private static void assertFound(Path path, Map<String, String> options, long rows) {
    CsvTable found = CsvTables.at(spark, path.toString(), options);
    Dataset<Row> sparks = spark.read().options(options).csv(path.toString());
    Dataset<Row> ours = spark.read().options(options).schema(found.schema()).csv(path.toString());

    assertThat(ours.schema()).isEqualTo(sparks.schema());
    List<Row> expected = sparks.collectAsList();
    assertThat(found.rows()).isEqualTo(rows).isEqualTo(expected.size());
    assertThat(ours.collectAsList()).hasSameElementsAs(expected);
  }
}
