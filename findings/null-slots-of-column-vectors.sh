#!/usr/bin/env bash
# Spark 4.1.3 and Iceberg 1.12.0: what a batch gives for the slots of nulls depends on who made its vectors.
#
# ColumnVector.getDoubles(rowId, count) reads a range at once. Its documentation leaves open what stands in the slots of nulls. Spark's own
# vectors give any value, so that code which reads the range first and asks for nulls afterwards works with Parquet files. Spark's public
# ArrowColumnVector throws IllegalStateException, and the vector that Iceberg makes for a column added after a file was written throws
# NullPointerException.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.1.3 org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0
cat > "$TEMP/Look.java" <<'JAVA'
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

public class Look {
  public static void main(String[] args) throws Exception {
    OnHeapColumnVector own = new OnHeapColumnVector(2, DataTypes.DoubleType);
    own.putDouble(0, 1.5);
    own.putNull(1);
    show("OnHeapColumnVector", own);

    Float8Vector arrow = new Float8Vector("x", new RootAllocator());
    arrow.allocateNew(2);
    arrow.set(0, 1.5);
    arrow.setNull(1);
    arrow.setValueCount(2);
    show("ArrowColumnVector", new ArrowColumnVector(arrow));

    try (SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false")
        .config("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog").config("spark.sql.catalog.ice.type", "hadoop")
        .config("spark.sql.catalog.ice.warehouse", args[0]).getOrCreate()) {
      spark.sql("CREATE TABLE ice.db.a (id bigint) USING iceberg");
      spark.sql("INSERT INTO ice.db.a SELECT id FROM range(2)");
      spark.sql("ALTER TABLE ice.db.a ADD COLUMN x double");
      var scan = spark.sql("SELECT id, x FROM ice.db.a").queryExecution().sparkPlan().collectLeaves().head();
      var seen = scan.executeColumnar().toJavaRDD().mapPartitions(batches -> {
        List<String> lines = new ArrayList<>();
        while (batches.hasNext()) {
          lines.add(line("", batches.next().column(1)));
        }
        return lines.iterator();
      }).collect();
      System.out.println("Iceberg's" + seen.get(0));
    }
  }

  static void show(String name, ColumnVector vector) {
    System.out.println(line(name, vector));
  }

  static String line(String name, ColumnVector vector) {
    String kind = name.isEmpty() ? " " + vector.getClass().getSimpleName() : name;
    try {
      return kind + ": " + vector.getDoubles(0, 2).length + " values";
    } catch (RuntimeException e) {
      return kind + ": " + e.getClass().getSimpleName();
    }
  }
}
JAVA
readarray -t lines < <(java_file "$TEMP/Look.java" "$TEMP/warehouse")
expect 'a range with a null, of a vector of Spark' 'OnHeapColumnVector: 2 values' "${lines[0]}"
expect "of Spark's public wrapper of Arrow" 'ArrowColumnVector: IllegalStateException' "${lines[1]}"
expect 'of a column added to an Iceberg table' "Iceberg's ConstantColumnVector: NullPointerException" "${lines[2]}"
finish
