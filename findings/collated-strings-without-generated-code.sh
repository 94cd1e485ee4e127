#!/usr/bin/env bash
# Spark 4.1.3: where code is not generated, an aggregate of strings with a collation other than the default returns what lies in a reused row.
#
# Interpreted projections copy a string into the buffer of an aggregate if its type is the default StringType; the type of a collated string is
# another one, so that the buffer keeps a pointer into the row, whose memory the next row overwrites. The greatest of 200 texts is then no text
# of the table. Spark interprets by this setting, which its tests use, and where generated code does not compile.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.1.3
cat > "$TEMP/Look.java" <<'JAVA'
import org.apache.spark.sql.SparkSession;

public class Look {
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.adaptive.enabled", "false").config("spark.sql.codegen.wholeStage", "false").getOrCreate()) {
      spark.sql("SELECT id, concat(repeat('ab', cast(id % 9 AS int)), id) AS text FROM range(200)").createOrReplaceTempView("t");
      for (String mode : new String[] {"CODEGEN_ONLY", "NO_CODEGEN"}) {
        spark.conf().set("spark.sql.codegen.factoryMode", mode);
        for (String collation : new String[] {"utf8_binary", "utf8_lcase"}) {
          String query = "SELECT max(s) FROM (SELECT first(text COLLATE %s) OVER (ORDER BY id ROWS 1 PRECEDING) AS s FROM t)".formatted(collation);
          String greatest = spark.sql(query).first().getString(0);
          System.out.println(greatest.matches("(ab)*[0-9]+") ? greatest : "no text of the table");
        }
      }
    }
  }
}
JAVA
readarray -t greatest < <(java_file "$TEMP/Look.java")
expect 'generated code, default collation' 'abababababababab98' "${greatest[0]}"
expect 'generated code, utf8_lcase' 'abababababababab98' "${greatest[1]}"
expect 'interpreted, default collation' 'abababababababab98' "${greatest[2]}"
expect 'interpreted, utf8_lcase' 'no text of the table' "${greatest[3]}"
finish
