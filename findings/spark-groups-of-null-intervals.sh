#!/usr/bin/env bash
# Spark 4.1.3: GROUP BY a struct that holds a calendar interval makes a group of each null, though the structs are equal.
#
# A binary row has room for the 16 bytes of an interval even where it is null, and what is there then is what the row before has left. Rows are
# compared by their bytes. An interval that is a column of its own is grouped rightly, as are other nulls in structs.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-sql_2.13:4.1.3
cat > "$TEMP/Look.java" <<'JAVA'
import org.apache.spark.sql.SparkSession;

public class Look {
  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", 1).getOrCreate();
    spark.range(0, 8, 1, 1)
        .selectExpr("case when id % 2 = 0 then make_interval(0, 0, 0, cast(id as int)) end as i", "case when id % 2 = 0 then cast(id as string) end as s")
        .createOrReplaceTempView("t");
    for (String key : new String[] {"i", "struct(s)", "struct(i)"}) {
      System.out.println(spark.sql("select count(*) from (select " + key + " from t group by " + key + ")").first().get(0));
    }
    System.out.println(spark.sql("select count(*) from (select struct(i) from t where i is null group by struct(i))").first().get(0));
    spark.stop();
  }
}
JAVA
readarray -t groups < <(java_file "$TEMP/Look.java")
expect 'groups of four intervals and four nulls' '5' "${groups[0]:-}"
expect 'groups of structs of four strings and four nulls' '5' "${groups[1]:-}"
expect 'groups of structs of four intervals and four nulls' '8' "${groups[2]:-}"
expect 'groups of the structs of nulls alone' '1' "${groups[3]:-}"
finish
