#!/usr/bin/env bash
# Spark 4.0.4, 4.1.3 and 4.2.0: rows with collated strings, or with times of the day, cannot be made columns.
#
# Where an operator of a plugin takes columns (ColumnarRule, supportsColumnar) and what is below gives rows, Spark itself puts a
# RowToColumnarExec between the two. It does so for any schema, but its converter knows strings of the default collation alone, and not TIME,
# a type of Spark since 4.1. The query fails when it runs, with UNSUPPORTED_DATATYPE, in a step that neither the user nor the plugin wrote.
# Variants and intervals are converted. A plugin has to look for these types, nested ones too, before it says that it takes columns.
. "$(dirname "$0")/packages.bash"
cat > "$TEMP/Convert.java" <<'JAVA'
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

public class Convert {
  public static void main(String[] types) {
    for (String type : types) {
      System.out.println(outcome(type));
    }
  }

  static String outcome(String type) {
    DataType parsed;
    try {
      parsed = DataType.fromDDL("x " + type);
    } catch (Exception e) {
      return "no such type";
    }
    try {
      new RowToColumnConverter((StructType) parsed);
      return "converted";
    } catch (RuntimeException e) {
      return e.getMessage().replaceAll("(?s)\\].*", "]");
    }
  }
}
JAVA
readonly types=('string' 'string collate utf8_lcase' 'array<string collate utf8_lcase>' 'time(6)' 'variant' 'interval day to second')
outcomes() {
  maven "org.apache.spark:spark-sql_2.13:$1"
  rm -rf "$TEMP/classes" && mkdir "$TEMP/classes"
  readarray -t lines < <(java_file "$TEMP/Convert.java" "${types[@]}")
  for i in "${!types[@]}"; do expect "Spark $1, ${types[$i]}" "${@:$((i + 2)):1}" "${lines[$i]}"; done
}
readonly refused='[UNSUPPORTED_DATATYPE]'
outcomes 4.0.4 converted "$refused" "$refused" 'no such type' converted converted
outcomes 4.1.3 converted "$refused" "$refused" "$refused" converted converted
outcomes 4.2.0 converted "$refused" "$refused" "$refused" converted converted
finish
