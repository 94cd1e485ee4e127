#!/usr/bin/env bash
# Apache Calcite 1.42.0: RANGE frames over a descending order have no rows, variances of large numbers are others, and ntile makes other tiles.
#
# Calcite runs window functions itself where no other engine does ("enumerable"). With ORDER BY t DESC and RANGE BETWEEN 1 PRECEDING AND CURRENT ROW a
# frame has the rows whose t is up to 1 more: PRECEDING is what comes before in the order (SQL:2016, 7.15), and PostgreSQL, DuckDB, H2 and Spark have
# it so. In Calcite sums over such frames are null and counts are 0, without an error; with ROWS, or with ascending orders, they are right. Variances
# come from sums and sums of squares, of which large numbers leave nothing. ntile(4) of six rows gives tiles of 2, 1, 2 and 1 rows, where larger
# tiles come first in the standard and elsewhere.
. "$(dirname "$0")/packages.bash"
maven org.apache.calcite:calcite-core:1.42.0
cat > "$TEMP/Look.java" <<'JAVA'
import java.sql.DriverManager;
import org.apache.calcite.adapter.java.ReflectiveSchema;
import org.apache.calcite.jdbc.CalciteConnection;

public class Look {
  public static class Station {
    public final Row[] readings = {new Row(3, 30), new Row(1, 10), new Row(6, 60), new Row(2, 20), new Row(5, 50), new Row(4, 40)};
  }

  public static class Row {
    public final int t;
    public final double v;

    public Row(int t, double v) {
      this.t = t;
      this.v = v;
    }
  }

  public static void main(String[] args) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:calcite:lex=JAVA"); var statement = connection.createStatement()) {
      connection.unwrap(CalciteConnection.class).getRootSchema().add("s", new ReflectiveSchema(new Station()));
      for (String window : new String[] {
        "sum(v) OVER (ORDER BY t RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)",
        "sum(v) OVER (ORDER BY t DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
        "sum(v) OVER (ORDER BY t DESC RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)",
        "count(v) OVER (ORDER BY t DESC RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)",
        "var_pop(v) OVER (ORDER BY t ROWS 1 PRECEDING)",
        "var_pop(v + 1e8) OVER (ORDER BY t ROWS 1 PRECEDING)",
        "var_pop(v + 1e9) OVER (ORDER BY t ROWS 1 PRECEDING)",
        "ntile(4) OVER (ORDER BY t)",
      }) {
        var rows = statement.executeQuery("SELECT " + window + " FROM s.readings ORDER BY t");
        StringBuilder line = new StringBuilder();
        while (rows.next()) {
          line.append(rows.getString(1)).append(' ');
        }
        System.out.println(line.toString().strip());
      }
    }
  }
}
JAVA
readarray -t seen < <(java_file "$TEMP/Look.java")
echo 'Six rows: t from 1 to 6, v from 10 to 60'
expect 'sums, t from 1 before' '10.0 30.0 50.0 70.0 90.0 110.0' "${seen[0]:-}"
expect 'sums, descending, a row before' '30.0 50.0 70.0 90.0 110.0 60.0' "${seen[1]:-}"
expect 'sums, descending, t from 1 before' 'null null null null null null' "${seen[2]:-}"
expect 'counts, descending, t from 1 before to 1 after' '0 0 0 0 0 0' "${seen[3]:-}"
expect 'variances of two rows' '0.0 25.0 25.0 25.0 25.0 25.0' "${seen[4]:-}"
expect 'variances of two rows, v + 1e8' '0.0 26.0 26.0 26.0 26.0 26.0' "${seen[5]:-}"
expect 'variances of two rows, v + 1e9' '0.0 0.0 0.0 0.0 0.0 0.0' "${seen[6]:-}"
expect 'ntile(4)' '1 1 2 3 3 4' "${seen[7]:-}"
finish
