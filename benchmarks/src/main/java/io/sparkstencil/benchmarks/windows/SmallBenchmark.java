/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.spark.StencilExtensions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Windows over few rows, where what Spark and we do beside the windows is all that counts. */
@Command(name = "small", description = "Windows over small tables, ours and Spark's in turns.")
public final class SmallBenchmark extends BenchmarkCommand {
  private static final String SPARK = "spark";
  private static final String OURS = "sql";

  private static final Map<String, String> QUERIES = new LinkedHashMap<>();

  static {
    String keyed = "(partition by g order by t";
    String whole = "(order by t";
    query("mean-keyed", "avg(v) over %s rows between 8 preceding and 8 following)", keyed);
    query("mean-whole", "avg(v) over %s rows between 8 preceding and 8 following)", whole);
    query("running-keyed", "row_number() over %1$s), sum(v) over %1$s)", keyed);
    query("running-whole", "row_number() over %1$s), sum(i) over %1$s)", whole);
    query("range-whole", "avg(v) over %s range between 60 preceding and current row)", whole);
    query("fill-keyed", "last(n, true) over %s)", keyed);
  }

  @Option(names = "--data", required = true, description = "The folder for the tables.")
  private Path data;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  @Option(
      names = "--rows",
      split = ",",
      defaultValue = "1500,10000,100000",
      description = "Rows of the tables.")
  private List<Long> rows;

  @Option(
      names = "--sources",
      split = ",",
      defaultValue = "cached,parquet",
      description = "Where the rows come from.")
  private List<String> sources;

  @Option(names = "--warm-ups", defaultValue = "30", description = "Turns before those that count.")
  private int warmUps;

  @Option(names = "--repeats", defaultValue = "30", description = "Turns.")
  private int repeats;

  @Option(names = "--names", defaultValue = ".*", description = "A pattern of queries.")
  private Pattern names;

  private static void query(String name, String functions, String window) {
    QUERIES.put(name, "select t, %s from cells".formatted(functions.formatted(window)));
  }

  @Override
  protected void measure() {
    SparkSession plain = LocalSpark.session("small-benchmark", master).getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    SparkSession extended =
        LocalSpark.session("small-benchmark", master)
            .withExtensions(new StencilExtensions())
            .getOrCreate();
    Map<String, SparkSession> sessions = new LinkedHashMap<>();
    sessions.put(SPARK, plain);
    sessions.put(OURS, extended);
    plain.conf().set("spark.stencil.sql.enabled", false); // the class path alone adds extensions
    try {
      for (String source : sources) {
        for (long count : rows) {
          String file = data.resolve("small-" + count).toString();
          LocalSpark.writeOnce(file, table(plain, count));
          sessions.values().forEach(each -> view(each, file, source));
          QUERIES.keySet().stream()
              .filter(name -> names.matcher(name).matches())
              .forEach(
                  name -> measure("small/%s/%s/%d".formatted(name, source, count), name, sessions));
        }
      }
    } finally {
      plain.stop();
    }
  }

  private static Dataset<Row> table(SparkSession session, long count) {
    return session
        .range(0, count, 1, 2)
        .selectExpr(
            "cast(id % 16 as int) as g",
            "pmod(id * 7919, %d) * 10 as t".formatted(count),
            "pmod(xxhash64(id), 1000000007) / 1e7 as v",
            "if(id % 3 = 0, pmod(xxhash64(id), 1000000007) / 1e7, null) as n",
            "cast(pmod(xxhash64(id), 10007) as int) as i");
  }

  private static void view(SparkSession session, String file, String source) {
    session.catalog().clearCache();
    Dataset<Row> cells = session.read().parquet(file);
    cells.createOrReplaceTempView("cells");
    if (source.equals("cached")) {
      session.catalog().cacheTable("cells");
      session.table("cells").count();
    }
  }

  private void measure(String name, String query, Map<String, SparkSession> sessions) {
    String sql = QUERIES.get(query);
    Map<String, Long> digests = new LinkedHashMap<>();
    sessions.forEach(
        (subject, session) -> {
          Dataset<Row> all = session.sql(sql);
          all = all.toDF(columns(all.columns().length));
          digests.put(subject, LocalSpark.digest(all, String.join(", ", all.columns())));
        });
    Map<String, List<Double>> seconds =
        Turns.measure(
            sessions.keySet(),
            warmUps,
            subject -> repeats,
            subject -> Turns.seconds(() -> run(sessions.get(subject), sql)));
    double theirs = Quantiles.median(seconds.get(SPARK));
    double ours = Quantiles.median(seconds.get(OURS));
    boolean equal = digests.get(OURS).equals(digests.get(SPARK));
    add(BenchmarkRow.of(name, SPARK, SPARK, seconds.get(SPARK), "s", 1, true, master));
    add(BenchmarkRow.of(name, OURS, SPARK, seconds.get(OURS), "s", theirs / ours, equal, master));
  }

  private static String[] columns(int count) {
    return IntStream.range(0, count).mapToObj(i -> "c" + i).toArray(String[]::new);
  }

  /** What a user waits for: from the text of a query to the last row, which is dropped. */
  private static void run(SparkSession session, String sql) {
    session.sql(sql).write().format("noop").mode("overwrite").save();
  }
}
