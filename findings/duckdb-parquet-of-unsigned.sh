#!/usr/bin/env bash
# DuckDB 2.0.0 writes unsigned integers from 2^31 on to Parquet so that readers do not agree, and hyparquet 1.33.0 reads other numbers, in silence.
#
# In Parquet an unsigned integer of 32 bits is an INT32 with a note. With PARQUET_VERSION V2, DuckDB stores differences (DELTA_BINARY_PACKED), and the
# first value of a page in 33 bits; the encoding is one of INT32, in two's complement that wraps (Parquet, Encodings, "Delta Encoding"). Spark, by its
# own reader and by Parquet's, cuts the value off, and is right. parquet-wasm 0.8.0, by Rust's parquet, refuses the file. hyparquet loses bit 31 of all
# numbers. The column beside it, of 64 bits, is right, and so is Parquet's version 1, which DuckDB writes unless asked for the other.
. "$(dirname "$0")/packages.bash"
maven org.duckdb:duckdb_jdbc:2.0.0.1 org.apache.spark:spark-sql_2.13:4.1.3
npm_packages hyparquet@1.33.0 parquet-wasm@0.8.0 apache-arrow@21.2.0
cat > "$TEMP/Look.java" <<'JAVA'
import java.sql.DriverManager;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

public class Look {
  public static void main(String[] args) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:duckdb:"); var statement = connection.createStatement()) {
      for (String version : new String[] {"V1", "V2"}) {
        statement.execute("COPY (SELECT (i + 3000000000)::uinteger AS u, (i + 3000000000)::bigint AS l FROM range(1, 4) t(i)) TO '" + args[0] + "/"
            + version + ".parquet' (FORMAT parquet, PARQUET_VERSION " + version + ")");
      }
      var rows = statement.executeQuery("SELECT encodings FROM parquet_metadata('" + args[0] + "/V2.parquet') WHERE path_in_schema = 'u'");
      rows.next();
      System.out.println(rows.getString(1));
      rows = statement.executeQuery("SELECT string_agg(u, ' ') FROM '" + args[0] + "/V2.parquet'");
      rows.next();
      System.out.println(rows.getString(1));
    }
    try (SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").getOrCreate()) {
      for (String own : new String[] {"true", "false"}) {
        spark.conf().set("spark.sql.parquet.enableVectorizedReader", own);
        StringBuilder line = new StringBuilder();
        for (Row row : spark.read().parquet(args[0] + "/V2.parquet").select("u").collectAsList()) {
          line.append(row.get(0)).append(' ');
        }
        System.out.println(line.toString().strip());
      }
    }
  }
}
JAVA
cat > "$TEMP/look.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { tableFromIPC } from "apache-arrow";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { readParquet } from "parquet-wasm/node";

for (const name of ["V1", "V2"]) {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(name + ".parquet") });
  console.log(rows.map((row) => row.u).join(" "));
  console.log(rows.map((row) => row.l).join(" "));
  try {
    console.log([...tableFromIPC(readParquet(new Uint8Array(readFileSync(name + ".parquet"))).intoIPCStream()).getChild("u")].join(" "));
  } catch (e) {
    console.log(e.message);
  }
}
JS
readarray -t java < <(java_file "$TEMP/Look.java" "$TEMP")
readarray -t js < <(cd "$TEMP" && node look.mjs)
expect 'the encoding' 'DELTA_BINARY_PACKED' "${java[0]:-}"
expect 'DuckDB' '3000000001 3000000002 3000000003' "${java[1]:-}"
expect 'Spark' '3000000001 3000000002 3000000003' "${java[2]:-}"
expect "Spark, Parquet's reader" '3000000001 3000000002 3000000003' "${java[3]:-}"
expect 'hyparquet' '852516353 852516354 852516355' "${js[3]:-}"
expect 'hyparquet, the same as bigint' '3000000001 3000000002 3000000003' "${js[4]:-}"
expect 'parquet-wasm' 'Parquet argument error: Parquet error: first value too large' "${js[5]:-}"
expect 'hyparquet, version 1' '3000000001 3000000002 3000000003' "${js[0]:-}"
expect 'parquet-wasm, version 1' '3000000001 3000000002 3000000003' "${js[2]:-}"
finish
