#!/usr/bin/env bash
# Spark 4.2.0: spark.sql.window.segmentTree.enabled changes the last bits of sums and means over moving frames of doubles.
#
# The option is new in 4.2 and off. It joins sums of blocks of rows, where Spark otherwise adds the rows of each frame from the first to the
# last. The order of additions is another, and so are the bits: of 2268 of 4000 sums over frames of 401 rows. Extremes have the same. Its
# description speaks of memory and speed alone. Results that are compared by their bits need it off, or on, on both sides.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.2.0
cat > "$TEMP/Look.java" <<'JAVA'
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

public class Look {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").getOrCreate()) {
      System.out.println(spark.conf().get("spark.sql.window.segmentTree.enabled"));
      for (String function : new String[] {"sum", "avg", "max"}) {
        String query = "SELECT " + function + "(cast(id * 7919 % 4001 AS double) / 7) OVER (ORDER BY id ROWS 400 PRECEDING) FROM range(4000)";
        spark.conf().set("spark.sql.window.segmentTree.enabled", "false");
        List<Row> off = spark.sql(query).collectAsList();
        spark.conf().set("spark.sql.window.segmentTree.enabled", "true");
        List<Row> on = spark.sql(query).collectAsList();
        int other = 0;
        double most = 0;
        for (int row = 0; row < off.size(); row++) {
          double difference = Math.abs(off.get(row).getDouble(0) - on.get(row).getDouble(0));
          other += difference > 0 ? 1 : 0;
          most = Math.max(most, difference);
        }
        System.out.println(other + " " + (most > 0 && most < 1e-9));
      }
    }
  }
}
JAVA
readarray -t answers < <(java_file "$TEMP/Look.java")
expect 'the option' 'false' "${answers[0]}"
expect 'sums with other bits, of 4000, by less than 1e-9' '2268 true' "${answers[1]}"
expect 'means' '1637 true' "${answers[2]}"
expect 'maxima' '0 false' "${answers[3]}"
finish
