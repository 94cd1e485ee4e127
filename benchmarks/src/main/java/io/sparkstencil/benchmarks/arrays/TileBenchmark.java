/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import static org.apache.spark.sql.functions.expr;

import com.sun.management.OperatingSystemMXBean;
import io.sparkstencil.benchmarks.arrays.TilesByHand.Kernel;
import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.spark.Stencils;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Times functions over tiles in Parquet, into Spark's noop sink, against a function of users (UDF)
 * that gets each tile with the eight around it by joins of the table with itself, with the edges of
 * the eight by such joins, or with the eight by one shuffle. The results are compared: ours with
 * those of the raster in one piece, bit for bit, and theirs with ours. A query that only reads the
 * tiles takes turns with them: nobody can be faster than that.
 */
@Command(name = "tiles", description = "Functions over tiles, against a UDF and a self join.")
public final class TileBenchmark extends BenchmarkCommand {
  private static final String OURS = "tiles";
  private static final String JOIN = "UDF and self join";
  private static final String EDGES = "UDF and self join of edges";
  private static final String GATHER = "UDF and one shuffle";
  private static final String RESULTS =
      "the same results within 1e-9, and the bits of the raster in one piece";
  private static final String READING = "tiles that are only read";

  @Option(
      names = "--kernel",
      defaultValue = "SLOPE",
      description = "mean, median, slope, hillshade.")
  private Kernel kernel;

  @Option(
      names = "--processor-time",
      description = "Measure the processor time of this process, with a master of its own.")
  private boolean processorTime;

  @Option(names = "--tiles", defaultValue = "16", description = "Tiles along each axis.")
  private int tiles;

  @Option(names = "--cells", defaultValue = "256", description = "Cells of a tile along each axis.")
  private int cells;

  @Option(names = "--repeats", defaultValue = "5", description = "Turns, after those that warm up.")
  private int repeats;

  @Option(names = "--warm-ups", defaultValue = "1", description = "Turns that do not count.")
  private int warmUps;

  @Option(names = "--master", defaultValue = "local-cluster[3,1,2048]", description = "Spark's.")
  private String master;

  private SparkSession spark;

  @Override
  protected void measure() throws Exception {
    spark =
        LocalSpark.session("tile-benchmark", master)
            .config("spark.sql.shuffle.partitions", 12)
            .config("spark.sql.files.maxPartitionBytes", "16m")
            .getOrCreate();
    Path folder = Files.createTempDirectory("tile-benchmark");
    try {
      String file = folder.resolve("tiles").toString();
      heights(tiles, cells).write().parquet(file);
      measure(spark.read().parquet(file));
    } finally {
      FileUtil.fullyDelete(folder.toFile());
      spark.stop();
    }
  }

  /** Returns tiles of waves, of which no part is like another. */
  private Dataset<Row> heights(int count, int side) {
    return spark
        .range(0, (long) count * count, 1, count)
        .selectExpr(
            "cast(id div %d as int) r".formatted(count), "cast(id %% %d as int) c".formatted(count))
        .selectExpr(
            "r",
            "c",
            "transform(sequence(r * %1$d, r * %1$d + %1$d - 1), y -> transform(sequence(c * %1$d, c * %1$d + %1$d - 1), x -> 500 * sin(y / 97D) * cos(x / 61D) + (y * 31 + x * 17) %% 23)) z"
                .formatted(side));
  }

  private void measure(Dataset<Row> table) {
    Map<String, Dataset<Row>> queries =
        Map.of(
            OURS,
            ours(table),
            JOIN,
            TilesByHand.joined(table, kernel, false),
            EDGES,
            TilesByHand.joined(table, kernel, true),
            GATHER,
            TilesByHand.gathered(table, kernel, tiles),
            READING,
            table);
    Map<String, List<Double>> seconds =
        Turns.measure(
            List.of(OURS, JOIN, EDGES, GATHER, READING),
            warmUps,
            any -> repeats,
            name -> seconds(queries.get(name)));
    for (String theirs : List.of(JOIN, EDGES, GATHER)) {
      requireSame(queries.get(OURS), queries.get(theirs));
      addRow(seconds, OURS, theirs, RESULTS);
    }
    addRow(seconds, READING, JOIN, "the most that any way of computing could reach");
    requireInOnePiece(table);
  }

  private double seconds(Dataset<Row> query) {
    if (!processorTime) {
      return LocalSpark.seconds(query);
    }
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = system.getProcessCpuTime();
    LocalSpark.seconds(query);
    return (system.getProcessCpuTime() - before) * 1e-9;
  }

  private static void requireSame(Dataset<Row> ours, Dataset<Row> theirs) {
    double difference =
        ours.alias("a")
            .join(theirs.alias("b"), expr("a.r = b.r AND a.c = b.c"))
            .selectExpr(
                "array_max(transform(zip_with(flatten(a.made), flatten(b.made), (x, y) -> abs(x - y)), d -> if(isnan(d), 1e9, d))) d")
            .selectExpr("max(d)")
            .first()
            .getDouble(0);
    if (difference > 1e-9) {
      throw new IllegalStateException("both differ by " + difference);
    }
  }

  private void addRow(
      Map<String, List<Double>> seconds, String subject, String theirs, String meaning) {
    double all = (double) tiles * tiles * cells * cells;
    List<Double> rates = seconds.get(subject).stream().map(each -> all / each * 1e-6).toList();
    double ratio =
        Quantiles.median(
            IntStream.range(0, repeats)
                .mapToObj(turn -> seconds.get(theirs).get(turn) / seconds.get(subject).get(turn))
                .toList());
    add(
        BenchmarkRow.of(
            "tiles/%s/f64/tiles=%d".formatted(kernel.name().toLowerCase(Locale.ROOT), tiles),
            subject,
            theirs,
            rates,
            "M cells/s",
            ratio,
            subject.equals(OURS),
            "%d x %d tiles of %d x %d doubles, Parquet source, noop sink, %s%s; %s"
                .formatted(
                    tiles,
                    tiles,
                    cells,
                    cells,
                    master,
                    processorTime ? ", processor time" : "",
                    meaning)));
  }

  private Dataset<Row> ours(Dataset<Row> table) {
    return Stencils.tiles(table).at("r", "c").apply(kernel.call(), "made").toDataset().drop("z");
  }

  /** Compares the results of a part of the tiles with those over the part as one array. */
  private void requireInOnePiece(Dataset<Row> table) {
    int part = Math.min(4, tiles);
    Dataset<Row> few = table.where("r < %1$d AND c < %1$d".formatted(part));
    Dataset<Row> whole =
        few.groupBy("r")
            .agg(expr("transform(array_sort(collect_list(struct(c, z))), t -> t.z)").as("row"))
            .selectExpr(
                "r",
                "transform(sequence(0, %d), i -> flatten(transform(row, t -> t[i]))) z"
                    .formatted(cells - 1))
            .selectExpr("1 one", "r", "z")
            .groupBy("one")
            .agg(
                expr("flatten(transform(array_sort(collect_list(struct(r, z))), t -> t.z))")
                    .as("z"));
    String cut =
        "transform(slice(made, r * %1$d + 1, %1$d), line -> slice(line, c * %1$d + 1, %1$d)) made"
            .formatted(cells);
    Dataset<Row> expected =
        whole
            .selectExpr(kernel.call() + " made")
            .crossJoin(few.select("r", "c"))
            .selectExpr("r", "c", cut);
    if (LocalSpark.digest(ours(few), "r, c, made") != LocalSpark.digest(expected, "r, c, made")) {
      throw new IllegalStateException("tiles are not as in one piece");
    }
  }
}
