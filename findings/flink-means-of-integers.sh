#!/usr/bin/env bash
# Apache Flink 2.3.0: the mean of 2000000000 and 2000000000 is -147483648 over a window, or where a variance is asked for beside it, and without one it is right.
#
# By Flink's page of functions AVG is the arithmetic mean and VAR_POP the variance of a population. AVG alone adds integers as BIGINT. In an OVER window, and in
# any query that has a variance or a standard deviation too, the planner makes a sum and a count of it, and the sum has the type of the column: it wraps around
# without an error. Variances have the type of the column as well, so that of 10, 11 and 13 it is 1 and not 1.56. In streams a moving variance is that of
# sums from which values were taken away: it is below 0 once 1e16 has left the frame, where the same query over a batch is right. A minimum of two cells is NaN
# if the NaN is the first, and the number if that is the first.
. "$(dirname "$0")/packages.bash"
maven org.apache.flink:flink-table-planner-loader:2.3.0 org.apache.flink:flink-table-runtime:2.3.0 org.apache.flink:flink-table-api-java-bridge:2.3.0 org.apache.flink:flink-clients:2.3.0
cat > "$TEMP/Look.java" <<'JAVA'
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

public class Look {
  public static void main(String[] args) throws Exception {
    TableEnvironment batch = environment(EnvironmentSettings.inBatchMode());
    String large = " FROM (VALUES (1, 2000000000), (2, 2000000000)) AS r(t, v)";
    ask(batch, "SELECT AVG(v)" + large);
    ask(batch, "SELECT AVG(v), COUNT(v)" + large);
    ask(batch, "SELECT AVG(v), VAR_POP(v)" + large);
    ask(batch, "SELECT AVG(v) OVER (ORDER BY t ROWS 1 PRECEDING)" + large);
    ask(batch, "SELECT AVG(CAST(v AS BIGINT)) OVER (ORDER BY t ROWS 1 PRECEDING)" + large);
    ask(batch, "SELECT VAR_POP(v), VAR_POP(CAST(v AS DOUBLE)) FROM (VALUES 10, 11, 13) AS r(v)");
    ask(batch, "SELECT MIN(v) OVER (ORDER BY t ROWS 1 PRECEDING) FROM (VALUES (1, 1E0), (2, CAST('NaN' AS DOUBLE)), (3, 3E0)) AS r(t, v)");
    String moving = "SELECT VAR_POP(v) OVER (ORDER BY p ROWS 1 PRECEDING) FROM (SELECT v, %s AS p FROM (VALUES (1, 1E16), (2, 5E0), (3, 6E0), (4, 8E0)) AS r(t, v))";
    ask(batch, moving.formatted("t"));
    ask(environment(EnvironmentSettings.inStreamingMode()), moving.formatted("PROCTIME()"));
  }

  static TableEnvironment environment(EnvironmentSettings settings) {
    TableEnvironment environment = TableEnvironment.create(settings);
    environment.getConfig().set("table.exec.resource.default-parallelism", "1");
    return environment;
  }

  static void ask(TableEnvironment environment, String query) throws Exception {
    List<String> fields = new ArrayList<>();
    try (var rows = environment.executeSql(query).collect()) {
      while (rows.hasNext()) {
        var row = rows.next();
        for (int field = 0; field < row.getArity(); field++) {
          fields.add(String.valueOf(row.getField(field)));
        }
      }
    }
    System.out.println(String.join(" ", fields));
  }
}
JAVA
readarray -t seen < <(java_file "$TEMP/Look.java")
echo 'Of 2000000000 and 2000000000'
expect 'mean' '2000000000' "${seen[0]:-}"
expect 'mean and count' '2000000000 2' "${seen[1]:-}"
expect 'mean and variance' '-147483648 0' "${seen[2]:-}"
expect 'moving means of two rows' '2000000000 -147483648' "${seen[3]:-}"
expect 'moving means of two rows, as BIGINT' '2000000000 2000000000' "${seen[4]:-}"
echo 'Of other numbers'
expect 'variance of 10 11 13, and as DOUBLE' '1 1.5555555555555551' "${seen[5]:-}"
expect 'moving minima of 1 NaN 3' '1.0 1.0 NaN' "${seen[6]:-}"
expect 'moving variances of 1E16 5 6 8, of a batch' '0.0 2.4999999999999983E31 0.25 1.0' "${seen[7]:-}"
expect 'moving variances of 1E16 5 6 8, of a stream' '0.0 2.4999999999999983E31 -7.0 -4.75' "${seen[8]:-}"
finish
