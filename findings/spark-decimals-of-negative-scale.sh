#!/usr/bin/env bash
# Spark 4.0.4, 4.1.3 and 4.2.0: decimals of a negative scale are sorted wrongly, and windows, groups and joins over them are wrong in silence.
#
# spark.sql.legacy.allowNegativeScaleOfDecimal, which is off, brings back decimals of Spark 2: 1E2BD is then one digit of hundreds. A sort first
# compares a long that it makes of each decimal. Where precision - scale is over 18, SortPrefixUtils compares them as unsigned: it takes them for
# doubles, whose bits SortPrefix turns so that this is right. But for 17 digits or fewer the code that SortPrefix generates has the unscaled value,
# and all below zero comes last. A merge join misses such rows. For 18 digits it has a double, and a radix sort, which goes by the longs alone up
# to 18 digits, leaves decimals with the same double as they came: ten pairs of equal decimals are twenty groups. ORDER BY with LIMIT compares the
# decimals themselves, and is right. Without the radix sort 18 digits are right too, and 17 are not.
. "$(dirname "$0")/packages.bash"
cat > "$TEMP/Decimals.java" <<'JAVA'
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

public class Decimals {
  static SparkSession spark;

  public static void main(String[] args) {
    spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1")
        .getOrCreate();
    System.out.println(spark.version());
    for (String negative : new String[] {"false", "true"}) {
      spark.conf().set("spark.sql.legacy.allowNegativeScaleOfDecimal", negative);
      spark.sql("SELECT id, cast(id - 3 AS decimal(15, 0)) * 1E2BD AS d FROM range(0, 7, 1, 1)")
          .createOrReplaceTempView("hundreds");
      String type = spark.table("hundreds").schema().apply("d").dataType().catalogString();
      System.out.println(type + ": " + rows("SELECT d FROM hundreds ORDER BY d"));
    }
    System.out.println(rows("SELECT d FROM hundreds ORDER BY d DESC"));
    System.out.println(rows("SELECT d FROM hundreds ORDER BY d LIMIT 3"));
    System.out.println(rows("SELECT rank() OVER (ORDER BY d) FROM hundreds ORDER BY id"));
    String near = "count(*) OVER (ORDER BY d RANGE BETWEEN 100 PRECEDING AND 100 FOLLOWING)";
    System.out.println(rows("SELECT " + near + " FROM hundreds ORDER BY id"));
    for (String join : new String[] {"BROADCAST", "MERGE"}) {
      String query = "SELECT /*+ %s(b) */ a.d FROM hundreds a JOIN hundreds b ON a.d = b.d WHERE b.id = 0";
      System.out.println(rows(query.formatted(join)));
    }
    Column large = functions.expr("9000000000000000000 + id * 7 % 10 * 100").cast(DataTypes.createDecimalType(18, -2));
    spark.range(0, 20, 1, 1).withColumn("d", large).createOrReplaceTempView("pairs");
    for (String radix : new String[] {"true", "false"}) {
      spark.conf().set("spark.sql.sort.enableRadixSort", radix);
      System.out.println(disordered("hundreds") + " " + disordered("pairs"));
      System.out.println(spark.sql("SELECT d, max(cast(id AS string)) FROM pairs GROUP BY d").collectAsList().size());
      System.out.println(rows("SELECT DISTINCT n FROM (SELECT count(*) OVER (PARTITION BY d) AS n FROM pairs)"));
      System.out.println(rows("SELECT /*+ MERGE(b) */ count(*) FROM pairs a JOIN pairs b ON a.d = b.d"));
    }
  }

  static String rows(String query) {
    return spark.sql(query).collectAsList().stream()
        .map(row -> row.get(0) instanceof BigDecimal decimal ? decimal.toPlainString() : row.get(0).toString())
        .collect(Collectors.joining(" "));
  }

  static long disordered(String table) {
    List<Row> sorted = spark.table(table).select("d").sortWithinPartitions("d").collectAsList();
    return IntStream.range(1, sorted.size())
        .filter(row -> sorted.get(row - 1).getDecimal(0).compareTo(sorted.get(row).getDecimal(0)) > 0)
        .count();
  }
}
JAVA
for version in 4.0.4 4.1.3 4.2.0; do
  maven "org.apache.spark:spark-sql_2.13:$version"
  rm -rf "$TEMP/classes" && mkdir "$TEMP/classes"
  readarray -t lines < <(java_file "$TEMP/Decimals.java")
  expect 'Spark' "$version" "${lines[0]}"
  expect '  in ascending order, by default' 'decimal(19,0): -300 -200 -100 0 100 200 300' "${lines[1]}"
  expect '  with the option' 'decimal(17,-2): 0 100 200 300 -300 -200 -100' "${lines[2]}"
  expect '  in descending order' '-100 -200 -300 300 200 100 0' "${lines[3]}"
  expect '  the least three, by LIMIT' '-300 -200 -100' "${lines[4]}"
  expect '  ranks of -300 to 300' '5 6 7 1 2 3 4' "${lines[5]}"
  expect '  how many are within 100 of each, by RANGE' '2 2 2 2 3 3 2' "${lines[6]}"
  expect '  -300 joined by broadcast' '-300' "${lines[7]}"
  expect '  -300 joined by merging' '' "${lines[8]}"
  expect '  neighbours out of order, of 6 and of 19 with 18 digits' '1 7' "${lines[9]}"
  expect '  groups of 10 pairs' '20' "${lines[10]}"
  expect '  rows of each partition' '1' "${lines[11]}"
  expect '  rows of their join, 40 in truth' '8' "${lines[12]}"
  expect '  without radix sort, neighbours out of order' '1 0' "${lines[13]}"
  expect '  groups of 10 pairs' '10' "${lines[14]}"
  expect '  rows of each partition' '2' "${lines[15]}"
  expect '  rows of their join, 40 in truth' '40' "${lines[16]}"
done
finish
