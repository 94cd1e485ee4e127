#!/usr/bin/env bash
# Spark 4.2.0: an aggregate over a window whose FILTER is false for all rows has an answer, unless the filter is the literal false.
#
# FILTER over windows is new in 4.2. With a filter that no row passes, count is 0 and sum and max are null. With the literal false, the optimizer
# puts that answer in place of the aggregate, and the window operator, which finds a number where its function should be, fails with an
# internal error. Programs that write filters, such as those of dashboards, write such literals.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.2.0
cat > "$TEMP/Look.java" <<'JAVA'
import org.apache.spark.sql.SparkSession;

public class Look {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").getOrCreate()) {
      for (String filter : new String[] {"id < 0", "false"}) {
        for (String function : new String[] {"count(*)", "sum(id)", "max(id)"}) {
          look(spark, function + " FILTER (WHERE " + filter + ") OVER (ORDER BY id ROWS 1 PRECEDING)");
        }
      }
    }
  }

  private static void look(SparkSession spark, String column) {
    try {
      System.out.println(spark.sql("SELECT " + column + " FROM range(2)").collectAsList());
    } catch (Exception e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      System.out.println(root.getMessage().lines().findFirst().orElse("").replaceFirst(" SQLSTATE.*", ""));
    }
  }
}
JAVA
readarray -t answers < <(java_file "$TEMP/Look.java")
expect 'count, no row passes' '[[0], [0]]' "${answers[0]}"
expect 'sum, no row passes' '[[null], [null]]' "${answers[1]}"
expect 'max, no row passes' '[[null], [null]]' "${answers[2]}"
expect 'count, the literal false' '[INTERNAL_ERROR] Unsupported window function: 0' "$(grep -o '\[INTERNAL_ERROR\] [^:]*: [a-z0-9]*' <<< "${answers[3]}")"
expect 'sum, the literal false' '[INTERNAL_ERROR] Unsupported window function: null' "$(grep -o '\[INTERNAL_ERROR\] [^:]*: [a-z0-9]*' <<< "${answers[4]}")"
expect 'max, the literal false' '[INTERNAL_ERROR] Unsupported window function: null' "$(grep -o '\[INTERNAL_ERROR\] [^:]*: [a-z0-9]*' <<< "${answers[5]}")"
finish
