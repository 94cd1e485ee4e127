#!/usr/bin/env bash
# SQLite 3.54.1 (sqlite-jdbc 3.54.1.0): moving sums of integers are floats, and wrong, once a fraction has been in the frame; an overflow stays in it, too.
#
# By SQLite's manual (Built-in Aggregate Functions, sum), a sum is an integer if all of its inputs are. SQLite takes away what leaves the frame, but goes on
# in floats after a fraction: of 9007199254740992 and 1, two rows behind the 0.5, it makes 9007199254740992.0. Once a sum was too large for a double, all
# are infinite to the end, and after an infinite cell they are NULL. After 1e30 and 1e14, sums of tenths are up to 1.6 percent off, though SQLite compensates.
# The same frames are right where the rows before them are not there.
. "$(dirname "$0")/packages.bash"
maven org.xerial:sqlite-jdbc:3.54.1.0
cat > "$TEMP/Look.java" <<'JAVA'
import java.sql.DriverManager;

public class Look {
  public static void main(String[] args) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite::memory:"); var statement = connection.createStatement()) {
      for (String cells : new String[] {
          "(1, 0.5), (2, 1), (3, 9007199254740992), (4, 1), (5, 9007199254740993)", "(2, 1), (3, 9007199254740992), (4, 1), (5, 9007199254740993)",
          "(1, 1e308), (2, 1e308), (3, 2), (4, 3), (5, 4)", "(1, 9e999), (2, 1.0), (3, 2.0), (4, 3.0), (5, 4.0)",
          "(1, 1e30), (2, 1e14 + 0.1), (3, 0.0), (4, 0.1), (5, 0.2), (6, 0.3)", "(3, 0.0), (4, 0.1), (5, 0.2), (6, 0.3)"}) {
        var rows = statement.executeQuery("WITH t(i, x) AS (VALUES " + cells + ") "
            + "SELECT sum(x) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t ORDER BY i");
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
echo 'Moving sums of two rows'
expect '0.5 1 9007199254740992 1 9007199254740993' '0.5 1.5 9007199254740992.0 9007199254740992.0 9007199254740994.0' "${seen[0]:-}"
expect '1 9007199254740992 1 9007199254740993' '1 9007199254740993 9007199254740993 9007199254740994' "${seen[1]:-}"
expect '1e308 1e308 2 3 4' '1.0e+308 Inf Inf Inf Inf' "${seen[2]:-}"
expect 'infinity 1 2 3 4' 'Inf Inf null null null' "${seen[3]:-}"
expect '1e30 100000000000000.1 0 0.1 0.2 0.3' '1.0e+30 1.0000000000000002e+30 100000000000000.09 0.1015625 0.3046875 0.5' "${seen[4]:-}"
expect '0 0.1 0.2 0.3' '0.0 0.1 0.30000000000000004 0.5' "${seen[5]:-}"
finish
