#!/usr/bin/env bash
# Spark 4.1.3: one malformed number is three kinds of error, by where in the plan it is read and whether plans are adaptive.
#
# The error of a projection has the condition CAST_INVALID_INPUT and SQLSTATE 22018. In a scalar subquery the same error is a SparkException
# without condition and SQLSTATE. In the rows of a broadcast join it is as in a projection while plans are adaptive; otherwise a
# java.util.concurrent.ExecutionException, a checked exception that no signature names. Who handles errors by condition has to look at causes.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.1.3
cat > "$TEMP/Look.java" <<'JAVA'
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.SparkSession;

public class Look {
  private static final String BAD = "cast(if(id = 3, 'x', '1') AS int)";

  public static void main(String[] args) throws Exception {
    for (String adaptive : new String[] {"true", "false"}) {
      try (SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false")
          .config("spark.sql.shuffle.partitions", "1").config("spark.sql.adaptive.enabled", adaptive).getOrCreate()) {
        look(spark, "SELECT " + BAD + " FROM range(7)");
        look(spark, "SELECT id, (SELECT max(" + BAD + ") FROM range(7)) FROM range(2)");
        look(spark, "SELECT /*+ BROADCAST(b) */ * FROM range(2) a JOIN (SELECT id, " + BAD + " AS c FROM range(7)) b ON a.id = b.id AND b.c = 1");
      }
    }
  }

  private static void look(SparkSession spark, String query) {
    try {
      System.out.println(spark.sql(query).collectAsList().size() + " rows");
    } catch (Exception e) {
      String words = e instanceof SparkThrowable known ? " " + known.getCondition() + " " + known.getSqlState() : "";
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      System.out.println(e.getClass().getSimpleName() + words + (root == e ? "" : " by " + root.getClass().getSimpleName()));
    }
  }
}
JAVA
readarray -t errors < <(java_file "$TEMP/Look.java")
expect 'adaptive, projection' 'SparkNumberFormatException CAST_INVALID_INPUT 22018' "${errors[0]}"
expect 'adaptive, scalar subquery' 'SparkException null null by SparkNumberFormatException' "${errors[1]}"
expect 'adaptive, broadcast join' 'SparkNumberFormatException CAST_INVALID_INPUT 22018' "${errors[2]}"
expect 'not adaptive, projection' 'SparkNumberFormatException CAST_INVALID_INPUT 22018' "${errors[3]}"
expect 'not adaptive, scalar subquery' 'SparkException null null by SparkNumberFormatException' "${errors[4]}"
expect 'not adaptive, broadcast join' 'ExecutionException by SparkNumberFormatException' "${errors[5]}"
finish
