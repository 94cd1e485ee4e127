#!/usr/bin/env bash
# Spark 4.0.4, 4.1.3 and 4.2.0, pandas 1.5.3, DuckDB 2.0.0: a window of 24 hours is one of 23 or 25 hours in Spark where clocks change, and in pandas a window of
# a day is 24 hours, though its groups of a day are days.
#
# SQL has intervals of days and of hours. DuckDB keeps both: a frame of RANGE INTERVAL '24' HOUR is 24 hours long, and one of a day goes back to the same time
# on the day before. Spark stores either as microseconds and adds each whole 24 hours of them as a day of the session's time zone. On 31 March 2024 a
# frame of 24 hours has 23 in Berlin, and the frame of 23 hours and a half is the longer one; in October it has 25. Timestamps without a time zone have
# 24 hours always. pandas has one text for a day, "1D": to rolling() it is 24 hours, so that a window of a day over daily values has two of them after
# the change in March and, with closed="left", none after the one in October. resample() and shift(freq=) take the same text for days, Timedelta for hours.
. "$(dirname "$0")/packages.bash"
cat > "$TEMP/Days.java" <<'JAVA'
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

public class Days {
  static final String HOURS = "SELECT n FROM (SELECT t, (count(*) OVER (ORDER BY t RANGE BETWEEN %s PRECEDING AND CURRENT ROW) - 1) / 2.0 AS n FROM (%s)) WHERE %s ORDER BY t";
  static final List<String> BOUNDS = List.of("INTERVAL '23' HOUR", "INTERVAL '23:30' HOUR TO MINUTE", "INTERVAL '24' HOUR", "INTERVAL '1' DAY");
  // Noon on the day before clocks go forward, on that day, on the day before they go back, and on that day, in Berlin.
  static final String NOONS = "IN (1711796400, 1711879200, 1729936800, 1730026800)";

  public static void main(String[] args) throws Exception {
    if (args[0].equals("Spark")) {
      SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1")
          .config("spark.sql.session.timeZone", "Europe/Berlin").getOrCreate();
      System.out.println(spark.version());
      for (String bound : BOUNDS) {
        print(spark.sql(HOURS.formatted(bound, "SELECT timestamp_seconds(1711674000 + id * 1800) AS t FROM range(0, 20000, 1, 1)", "unix_seconds(t) " + NOONS))
            .collectAsList().stream().map(row -> row.get(0)).collect(Collectors.toList()));
      }
      String local = "SELECT TIMESTAMP_NTZ '2024-03-29 02:00:00' + id * INTERVAL '30' MINUTE AS t FROM range(0, 200, 1, 1)";
      print(spark.sql(HOURS.formatted(BOUNDS.get(2), local, "t = TIMESTAMP_NTZ '2024-03-31 12:00:00'")).collectAsList().stream().map(row -> row.get(0)).collect(Collectors.toList()));
      return;
    }
    try (var connection = DriverManager.getConnection("jdbc:duckdb:"); var statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'Europe/Berlin'");
      for (String bound : List.of(BOUNDS.get(0), BOUNDS.get(2), BOUNDS.get(3))) {
        var rows = statement.executeQuery(HOURS.formatted(bound, "SELECT to_timestamp(1711674000 + i * 1800) AS t FROM range(0, 20000) r(i)", "epoch(t) " + NOONS));
        List<Object> hours = new ArrayList<>();
        while (rows.next()) {
          hours.add(rows.getDouble(1));
        }
        print(hours);
      }
    }
  }

  static void print(List<Object> hours) {
    System.out.println(hours.stream().map(hour -> String.valueOf(Double.parseDouble(hour.toString()))).collect(Collectors.joining(" ")));
  }
}
JAVA
echo 'Hours that a frame goes back at noon: before clocks go forward in Berlin, on that day, before they go back, on that day'
for version in 4.0.4 4.1.3 4.2.0; do
  maven "org.apache.spark:spark-sql_2.13:$version" org.duckdb:duckdb_jdbc:2.0.0.1
  rm -rf "$TEMP/classes" && mkdir "$TEMP/classes"
  readarray -t lines < <(java_file "$TEMP/Days.java" Spark)
  expect 'Spark' "$version" "${lines[0]:-}"
  expect '  23 hours' '23.0 23.0 23.0 23.0' "${lines[1]:-}"
  expect '  23 hours and a half' '23.5 23.5 23.5 23.5' "${lines[2]:-}"
  expect '  24 hours' '24.0 23.0 24.0 25.0' "${lines[3]:-}"
  expect '  a day' '24.0 23.0 24.0 25.0' "${lines[4]:-}"
  expect '  24 hours of TIMESTAMP_NTZ, on the day they go forward' '24.0' "${lines[5]:-}"
done
readarray -t lines < <(java_file "$TEMP/Days.java" DuckDB)
echo 'DuckDB'
expect '  23 hours' '23.0 23.0 23.0 23.0' "${lines[0]:-}"
expect '  24 hours' '24.0 24.0 24.0 24.0' "${lines[1]:-}"
expect '  a day' '24.0 23.0 24.0 25.0' "${lines[2]:-}"

debian python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2 python3-numpy=1:1.24.2-1+deb12u1
cat > "$TEMP/days.py" <<'PY'
import pandas as pd

def line(values):
    return " ".join(f"{value:g}" for value in values)

march = pd.Series([1, 2, 3, 4, 5], index=pd.date_range("2024-03-29", periods=5, freq="D", tz="Europe/Berlin"))
october = pd.Series([1, 2, 3, 4, 5], index=pd.date_range("2024-10-25", periods=5, freq="D", tz="Europe/Berlin"))
print(line(march.rolling("1D").sum()))
print(line(march.resample("1D").sum()))
print(line(october.rolling("1D", closed="left").sum()))
print(line(march.shift(freq="1D").index.hour))
print(line((march.index + pd.Timedelta("1D")).hour))
PY
readarray -t seen < <(python "$TEMP/days.py")
echo 'pandas: 1 2 3 4 5 on the days from 29 March, or 25 October, on'
expect '  sums of windows of a day, March' '1 2 3 7 5' "${seen[0]:-}"
expect '  sums of groups of a day, March' '1 2 3 4 5' "${seen[1]:-}"
expect '  sums of the day before, October' 'nan 1 2 nan 4' "${seen[2]:-}"
expect '  hours of the times, moved by a day' '0 0 0 0 0' "${seen[3]:-}"
expect '  hours of the times and a Timedelta of a day' '0 0 1 0 0' "${seen[4]:-}"
finish
