#!/usr/bin/env bash
# DuckDB 2.0.0: the median of two decimals is cut off at their scale, and that of the same numbers as doubles is not.
#
# median() and quantile_cont() interpolate, as DuckDB's page on aggregates says. Of a column of DECIMAL(9, 1) they are DECIMAL(9, 1): the median of 0.1
# and 0.2 is 0.1, moving or not, and of -0.1 and -0.2 it is -0.1, so that it is cut off and not rounded. avg() of the same column is a double. Spark's
# median is a double of every type.
. "$(dirname "$0")/packages.bash"
maven org.duckdb:duckdb_jdbc:2.0.0.1
cat > "$TEMP/Look.java" <<'JAVA'
import java.sql.DriverManager;

public class Look {
  public static void main(String[] args) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:duckdb:"); var statement = connection.createStatement()) {
      for (String query : new String[] {
        "SELECT median(v), median(v::double), avg(v), quantile_cont(v, 0.25) FROM (VALUES (0.1::decimal(9, 1)), (0.2)) t(v)",
        "SELECT median(v), median(v::double), avg(v), quantile_cont(v, 0.25) FROM (VALUES (-0.1::decimal(9, 1)), (-0.2)) t(v)",
        "SELECT typeof(median(v)), typeof(median(v::double)), typeof(avg(v)), typeof(quantile_cont(v, 0.25)) FROM (VALUES (0.1::decimal(9, 1))) t(v)",
        "SELECT unnest([median(v) OVER w, median(v::double) OVER w]) FROM (VALUES (1, 0.1::decimal(9, 1)), (2, 0.2), (3, 0.3)) t(i, v)"
            + " WINDOW w AS (ORDER BY i ROWS 1 PRECEDING) ORDER BY i",
      }) {
        var rows = statement.executeQuery(query);
        StringBuilder line = new StringBuilder();
        while (rows.next()) {
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            line.append(rows.getString(i)).append(' ');
          }
        }
        System.out.println(line.toString().strip());
      }
    }
  }
}
JAVA
readarray -t seen < <(java_file "$TEMP/Look.java")
echo 'Medians, medians of the same as doubles, means, and first quartiles'
expect '0.1 and 0.2' '0.1 0.15000000000000002 0.15 0.1' "${seen[0]:-}"
expect '-0.1 and -0.2' '-0.1 -0.15000000000000002 -0.15 -0.1' "${seen[1]:-}"
expect 'types' 'DECIMAL(9,1) DOUBLE DOUBLE DECIMAL(9,1)' "${seen[2]:-}"
expect 'medians over two rows of 0.1, 0.2 and 0.3, of doubles' '0.1 0.1 0.1 0.15000000000000002 0.2 0.25' "${seen[3]:-}"
finish
