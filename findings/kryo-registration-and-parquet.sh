#!/usr/bin/env bash
# Spark 4.1.3: where Kryo demands registered classes, whether a Parquet file can be opened depends on the types of its columns.
#
# The schema of files is read by a job whose results are StructTypes, which go through the session's serializer. Spark registers the types of
# bigint, double and string with Kryo, but not those of tinyint, smallint, boolean, binary and timestamp.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.1.3
cat > "$TEMP/Look.java" <<'JAVA'
import org.apache.spark.sql.SparkSession;

public class Look {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false")
        .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer").config("spark.kryo.registrationRequired", "true").getOrCreate()) {
      for (String type : new String[] {"bigint", "double", "string", "tinyint", "boolean", "timestamp"}) {
        String file = args[0] + "/" + type;
        String answer = "opened";
        try {
          spark.sql("SELECT CAST(NULL AS " + type + ") AS x").coalesce(1).write().parquet(file);
          spark.read().parquet(file);
        } catch (Exception e) {
          String text = String.valueOf(e.getMessage());
          int at = text.indexOf("Class is not registered: ");
          answer = at < 0 ? e.getClass().getSimpleName() : text.substring(at).lines().findFirst().get();
        }
        System.out.println(answer);
      }
    }
  }
}
JAVA
readarray -t lines < <(java_file "$TEMP/Look.java" "$TEMP/files")
for i in 0 1 2; do
  types=(bigint double string)
  expect "a file with a column of ${types[$i]}" 'opened' "${lines[$i]}"
done
expect 'of tinyint' 'Class is not registered: org.apache.spark.sql.types.ByteType$' "${lines[3]}"
expect 'of boolean' 'Class is not registered: org.apache.spark.sql.types.BooleanType$' "${lines[4]}"
expect 'of timestamp' 'Class is not registered: org.apache.spark.sql.types.TimestampType$' "${lines[5]}"
finish
