/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.Differences;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.programs.ArrayProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.execution.HiveResult;
import org.junit.jupiter.api.Test;

/** Runs what docs/programs.md shows. */
@WithSpark
final class ProgramsPageSparkTest {
  private static final Pattern QUERY = Pattern.compile("(?s)```sql\n> (.*?);\n  (.*?)\n```");

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "programs.md"));
  }

  @Test
  void queriesGiveWhatThePageSays() throws IOException {
    Matcher queries = QUERY.matcher(page());
    int found = 0;
    for (; queries.find(); found++) {
      String query = queries.group(1);
      String result = queries.group(2);
      if (result.startsWith("line ")) {
        assertThatThrownBy(() -> ArraySession.get().sql(query)).hasMessageContaining(result);
      } else {
        Dataset<Row> rows = (Dataset<Row>) ArraySession.get().sql(query);
        List<String> lines =
            ScalaInterop.list(HiveResult.hiveResultString(rows.queryExecution().executedPlan()));
        assertThat(lines).as(query).containsExactly(result);
      }
    }
    assertThat(found).isEqualTo(14);
  }

  @Test
  void plansSayWhichEngineIsExpected() throws IOException {
    Matcher shown =
        Pattern.compile("`(SELECT stencil_expr[^`]*)`:\n\n```\n(Engine of r: .*)\n```")
            .matcher(page());
    assertThat(shown.find()).isTrue();
    SparkSession session = ArraySession.get().newSession();
    session
        .sql("SELECT array(array(double(id))) AS image FROM range(2)")
        .createOrReplaceTempView("images");
    String plan = session.sql("EXPLAIN FORMATTED " + shown.group(1)).first().getString(0);
    String line = plan.lines().filter(each -> each.startsWith("Engine of r:")).findFirst().get();
    // the number is an estimate, which measurements may change
    assertThat(line.replaceAll("[0-9,]+ cells", "n cells"))
        .isEqualTo(shown.group(2).replaceAll("[0-9,]+ cells", "n cells"));
  }

  @Test
  void theFormulaAndTheJavaExampleAreOneProgram() throws IOException {
    StencilProgram heat =
        StencilProgram.of(
            2,
            program -> {
              Field u = program.field("u");
              Expression a = program.parameter("a");
              program.update(u, u.here().plus(a.times(Differences.laplacian(u, 2))));
            });
    assertThat(page())
        .contains("program.update(u, u.here().plus(a.times(Differences.laplacian(u, 2))));");
    assertThat(ProgramText.parse("u' = u + a*laplacian(u)", 2).digest()).isEqualTo(heat.digest());
    ArrayProgram<double[][]> diffuse =
        ArrayProgram.of(double[][].class, heat, Map.of("a", 0.2)).withSteps(100);
    double[][] image = new double[8][8];
    image[3][4] = 64;
    JavaSparkContext context = JavaSparkContext.fromSparkContext(ArraySession.get().sparkContext());
    double[][] smooth = diffuse.apply(context.parallelize(List.<double[][]>of(image), 1)).first();
    double sum = 0;
    for (double[] row : smooth) {
      for (double cell : row) {
        sum += cell;
        assertThat(cell).isBetween(0.9, 1.1);
      }
    }
    // nothing flows through reflecting sides
    assertThat(sum).isCloseTo(64, offset(1e-9));
  }
}
