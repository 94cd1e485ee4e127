#!/usr/bin/env bash
# Spark 4.0.4, 4.1.3 and 4.2.0: frames of a month, and of a day where clocks are set back, lack rows that lie between their bounds if other rows are there.
#
# A frame of RANGE INTERVAL '1' MONTH has the rows from a month before a row on, as the standard and DuckDB have it. A month before 28 March
# at 10:00 is 28 February at 10:00, and a month before 31 March at 5:00 is 28 February at 5:00, which is earlier. Spark moves the beginning of a frame on
# with the rows and never back: a row of 28 February at 7:00 is in the frame of 31 March, unless there is a row on 28 March, which has it dropped for
# good. So one more row in the frame leaves the count as it was, and a join over the same bounds finds three. A day before is the same time of the day in
# Spark, and the hour that October has twice is such a case for days: what 2:30 has left behind is not there for the second 2:05.
. "$(dirname "$0")/packages.bash"
cat > "$TEMP/Frames.java" <<'JAVA'
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

public class Frames {
  static final String WINDOW = "SELECT count(*) OVER (ORDER BY t RANGE BETWEEN %s PRECEDING AND CURRENT ROW) FROM times ORDER BY t";
  static final String JOIN = "SELECT count(*) FROM times a JOIN times b ON b.t BETWEEN a.t - %s AND a.t GROUP BY a.t ORDER BY a.t";
  // 28 February, 7:00, 28 March, 10:00, and 31 March 2023, 5:00, in Berlin, without the second and with it.
  static final List<String> MONTHS = List.of("1677564000, 1680231600", "1677564000, 1679990400, 1680231600");
  // 26 October 2024, 2:10, and the day after, when it is 2:30 for the first time and 2:05 for the second, without 2:30 and with it.
  static final List<String> DAYS = List.of("1729901400, 1729991100", "1729901400, 1729989000, 1729991100");

  interface Engine {
    List<Long> ask(String query) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    if (args[0].equals("Spark")) {
      SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1")
          .config("spark.sql.session.timeZone", "Europe/Berlin").getOrCreate();
      System.out.println(spark.version());
      look("CREATE OR REPLACE TEMP VIEW times AS SELECT timestamp_seconds(col) AS t FROM (SELECT explode(array(%s)))",
          query -> spark.sql(query).collectAsList().stream().map(row -> row.getLong(0)).collect(Collectors.toList()));
      return;
    }
    try (var connection = DriverManager.getConnection("jdbc:duckdb:"); var statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'Europe/Berlin'");
      look("CREATE OR REPLACE TEMP VIEW times AS SELECT to_timestamp(unnest([%s])) AS t", query -> {
        List<Long> counts = new ArrayList<>();
        if (statement.execute(query)) {
          var rows = statement.getResultSet();
          while (rows.next()) {
            counts.add(rows.getLong(1));
          }
        }
        return counts;
      });
    }
  }

  static void look(String view, Engine engine) throws Exception {
    for (String interval : List.of("INTERVAL '1' MONTH", "INTERVAL '1' DAY")) {
      for (String seconds : interval.endsWith("MONTH") ? MONTHS : DAYS) {
        engine.ask(view.formatted(seconds));
        System.out.println(line(engine.ask(WINDOW.formatted(interval))) + ", " + line(engine.ask(JOIN.formatted(interval))));
      }
    }
  }

  static String line(List<Long> counts) {
    return counts.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
JAVA
echo 'Rows in the frame of each row, by a window and by a join'
for version in 4.0.4 4.1.3 4.2.0; do
  maven "org.apache.spark:spark-sql_2.13:$version" org.duckdb:duckdb_jdbc:2.0.0.1
  rm -rf "$TEMP/classes" && mkdir "$TEMP/classes"
  readarray -t lines < <(java_file "$TEMP/Frames.java" Spark)
  expect 'Spark' "$version" "${lines[0]:-}"
  expect '  a month, without 28 March' '1 2, 1 2' "${lines[1]:-}"
  expect '  a month, with it' '1 1 2, 1 1 3' "${lines[2]:-}"
  expect '  a day, without 2:30' '1 2, 1 2' "${lines[3]:-}"
  expect '  a day, with it' '1 1 2, 1 1 3' "${lines[4]:-}"
done
readarray -t lines < <(java_file "$TEMP/Frames.java" DuckDB)
echo 'DuckDB 2.0.0'
expect '  a month, without 28 March' '1 2, 1 2' "${lines[0]:-}"
expect '  a month, with it' '1 1 3, 1 1 3' "${lines[1]:-}"
expect '  a day, without 2:30' '1 2, 1 2' "${lines[2]:-}"
expect '  a day, with it' '1 1 3, 1 1 3' "${lines[3]:-}"
finish
