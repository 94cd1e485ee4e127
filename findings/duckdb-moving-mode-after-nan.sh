#!/usr/bin/env bash
# DuckDB 1.5.6: a moving mode of doubles stays NaN after a NaN has left the frame.
#
# mode() over a moving frame counts values in and out. DuckDB takes NaN as equal to NaN (its page on numeric types says so), and so does mode() of
# a group, but a NaN that has come into a frame is never counted out: from then on it is the mode of frames in which no value comes twice. "list" shows
# the frames. Of integers and of texts it is right, and DuckDB 2.0.0 has changed it.
. "$(dirname "$0")/packages.bash"
cat > "$TEMP/Look.java" <<'JAVA'
import java.sql.DriverManager;

public class Look {
  public static void main(String[] args) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:duckdb:"); var statement = connection.createStatement()) {
      for (String type : new String[] {"double", "text"}) {
        var rows = statement.executeQuery(
            "SELECT list(v) OVER w, mode(v) OVER w FROM (VALUES (1, '1'::%s), (2, 'nan'), (3, '3'), (4, '4'), (5, '5'), (6, '5'), (7, '7')) t(i, v)"
                .formatted(type) + " WINDOW w AS (ORDER BY i ROWS 1 PRECEDING) ORDER BY i");
        StringBuilder line = new StringBuilder();
        while (rows.next()) {
          line.append(rows.getString(1).replaceAll("[ ']", "")).append(rows.getString(2).replace(".0", "").toLowerCase()).append(' ');
        }
        System.out.println(line.toString().replace(".0", "").strip());
      }
    }
  }
}
JAVA
echo 'Frames of two rows, and their modes'
maven org.duckdb:duckdb_jdbc:1.5.6.0
readarray -t seen < <(java_file "$TEMP/Look.java")
expect 'DuckDB 1.5.6, doubles' '[1]1 [1,nan]1 [nan,3]nan [3,4]nan [4,5]nan [5,5]5 [5,7]nan' "${seen[0]:-}"
expect 'DuckDB 1.5.6, texts' '[1]1 [1,nan]1 [nan,3]nan [3,4]3 [4,5]4 [5,5]5 [5,7]5' "${seen[1]:-}"
maven org.duckdb:duckdb_jdbc:2.0.0.1
readarray -t seen < <(java_file "$TEMP/Look.java")
expect 'DuckDB 2.0.0, doubles' '[1]1 [1,nan]1 [nan,3]nan [3,4]3 [4,5]4 [5,5]5 [5,7]5' "${seen[0]:-}"
finish
