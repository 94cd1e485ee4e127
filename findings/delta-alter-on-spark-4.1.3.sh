#!/usr/bin/env bash
# delta-spark_4.1_2.13 4.1.0 with Spark 4.1.3: ALTER TABLE ... ADD COLUMN ends in a missing class.
#
# The artifact is named after Spark 4.1, and reading, writing and deleting work. Commands that alter a table refer to
# org.apache.spark.sql.catalyst.plans.logical.IgnoreCachedData, which Spark 4.0.4 has and Spark 4.1.3 has not.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.1.3 io.delta:delta-spark_4.1_2.13:4.1.0
cat > "$TEMP/Look.java" <<'JAVA'
import org.apache.spark.sql.SparkSession;

public class Look {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false")
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension").config("spark.sql.warehouse.dir", args[0])
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog").getOrCreate()) {
      spark.sql("CREATE TABLE a (id bigint) USING delta");
      spark.sql("INSERT INTO a SELECT id FROM range(5)");
      spark.sql("DELETE FROM a WHERE id = 3");
      System.out.println(spark.sql("SELECT id FROM a").count() + " rows");
      try {
        spark.sql("ALTER TABLE a ADD COLUMN x double");
        System.out.println("altered");
      } catch (NoClassDefFoundError e) {
        System.out.println("NoClassDefFoundError " + e.getMessage());
      }
    }
  }
}
JAVA
readarray -t lines < <(cd "$TEMP" && java_file "$TEMP/Look.java" "$TEMP/warehouse")
expect 'written, deleted from, read' '4 rows' "${lines[0]}"
expect 'ALTER TABLE a ADD COLUMN x double' 'NoClassDefFoundError org/apache/spark/sql/catalyst/plans/logical/IgnoreCachedData' "${lines[1]}"
finish
