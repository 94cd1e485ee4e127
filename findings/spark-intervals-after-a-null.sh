#!/usr/bin/env bash
# Spark 4.0.4, 4.1.3 and 4.2.0: in columns made of rows, calendar intervals in structs are those of other rows after a struct that is null.
#
# Rows become columns in RowToColumnarExec, which Spark puts below operators of plugins that take columns. A column of intervals keeps months,
# days and microseconds in three columns below it. Where a struct is null, each of its columns is given a null, but not those three, so that
# from there on each interval of the struct lies a row before its place, and the last one is zero. Nothing fails. Intervals that are null by
# themselves, in the row or in an array, leave the others where they are.
. "$(dirname "$0")/packages.bash"
cat > "$TEMP/Intervals.java" <<'JAVA'
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.CalendarInterval;

public class Intervals {
  public static void main(String[] args) {
    StructType struct = new StructType().add("i", DataTypes.CalendarIntervalType);
    StructType schema = new StructType().add("s", struct).add("i", DataTypes.CalendarIntervalType);
    int[] days = {1, 0, 3, 4}; // 0: null
    WritableColumnVector structs = new OnHeapColumnVector(days.length, struct);
    WritableColumnVector intervals = new OnHeapColumnVector(days.length, DataTypes.CalendarIntervalType);
    RowToColumnConverter converter = new RowToColumnConverter(schema);
    for (int day : days) {
      CalendarInterval interval = day == 0 ? null : new CalendarInterval(0, day, 0);
      Object inStruct = day == 0 ? null : new GenericInternalRow(new Object[] {interval});
      converter.convert(
          new GenericInternalRow(new Object[] {inStruct, interval}), new WritableColumnVector[] {structs, intervals});
    }
    StringBuilder ofStructs = new StringBuilder();
    StringBuilder alone = new StringBuilder();
    for (int row = 0; row < days.length; row++) {
      ofStructs.append(structs.isNullAt(row) ? "null" : structs.getStruct(row).getInterval(0).days).append(' ');
      alone.append(intervals.isNullAt(row) ? "null" : intervals.getInterval(row).days).append(' ');
    }
    System.out.println(ofStructs.toString().trim());
    System.out.println(alone.toString().trim());
  }
}
JAVA
for version in 4.0.4 4.1.3 4.2.0; do
  maven "org.apache.spark:spark-sql_2.13:$version"
  rm -rf "$TEMP/classes" && mkdir "$TEMP/classes"
  readarray -t lines < <(java_file "$TEMP/Intervals.java")
  expect "Spark $version, days of 1, null, 3 and 4 in structs" '1 null 4 0' "${lines[0]}"
  expect "Spark $version, the same without structs" '1 null 3 4' "${lines[1]}"
done
finish
