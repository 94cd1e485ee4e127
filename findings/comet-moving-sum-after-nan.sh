#!/usr/bin/env bash
# Apache DataFusion Comet 1.2.0 with Spark 4.1.3: one NaN makes a moving sum NaN to the end of its series.
#
# Comet's native window takes away the value that leaves the frame. NaN minus NaN is NaN, so that a sum does not recover when the NaN has
# left; Spark adds each frame afresh. The same query over the same file has other results once the plugin is on, without a warning.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.1.3 org.apache.datafusion:comet-spark-spark4.1_2.13:1.2.0
cat > "$TEMP/Look.java" <<'JAVA'
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

public class Look {
  public static void main(String[] args) throws Exception {
    boolean comet = args[1].equals("comet");
    SparkSession.Builder builder = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1").config("spark.memory.offHeap.enabled", "true").config("spark.memory.offHeap.size", "512m");
    if (comet) {
      builder.config("spark.plugins", "org.apache.spark.CometPlugin")
          .config("spark.shuffle.manager", "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager");
    }
    try (SparkSession spark = builder.getOrCreate()) {
      if (!comet) {
        spark.range(8).selectExpr("id % 1 AS k", "id AS t", "if(id = 2, double('NaN'), double(id)) AS v").coalesce(1).write().parquet(args[0]);
      }
      spark.read().parquet(args[0]).createOrReplaceTempView("rows");
      Dataset<Row> sums = spark.sql("SELECT t, sum(v) OVER (PARTITION BY k ORDER BY t ROWS 1 PRECEDING) AS s FROM rows ORDER BY t");
      System.out.println(sums.collectAsList().stream().map(row -> "" + row.get(1)).collect(Collectors.joining(" ")));
      System.out.println(sums.queryExecution().executedPlan().toString().contains("CometWindowExec"));
    }
  }
}
JAVA
readarray -t spark < <(java_file "$TEMP/Look.java" "$TEMP/rows" spark)
readarray -t comet < <(java_file "$TEMP/Look.java" "$TEMP/rows" comet)
expect 'Spark' '0.0 1.0 NaN NaN 7.0 9.0 11.0 13.0' "${spark[0]}"
expect "Comet's own operator in the plan" 'true' "${comet[1]}"
expect 'Comet' '0.0 1.0 NaN NaN NaN NaN NaN NaN' "${comet[0]}"
finish
