/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The table of tests of windows: a column of each type of which columns of series are, most with
 * nulls, some with zeros of both signs or NaN. No two rows have the same {@code id} or the same
 * {@code t}, whose order is another. Keys are {@code k}, {@code name}, {@code even}, {@code half},
 * which most rows are in, {@code skewed}, which nearly all are, and {@code many}, of few rows each;
 * in {@code slow} and {@code few} many rows tie.
 */
public final class RowsOfAllTypes {
  private static final String ROWS =
      """
      select id, pmod(id * 7919, PRIME) as t, if(id % 50 = 7, null, cast(id % 5 as int)) as k,
        if(id % 11 = 3, null, 'key ' || id % 3) as name, id % 7 < 3 as even,
        id < 3 * COUNT / 4 as half, if(id % 10 = 0, id, 1) as skewed, id % (COUNT div 2) as many,
        cast(id % 101 as tinyint) as b, cast(hash(id) % 30000 as smallint) as s,
        if(id % 9 = 0, null, hash(id)) as i, if(id % 5 = 0, null, xxhash64(id) >> 20) as l,
        xxhash64(id, 3) as huge, cast(cos(id) as float) as f,
        cast(if(id % 17 = 0, 'NaN', cos(id)) as float) as g,
        case id % 8 when 0 then null when 1 then -0.0D when 2 then 0.0D
          else sin(id) * pow(10, id % 7) end as d,
        if(id % 40 = 9, double('nan'), if(id % 3 = 0, -0.0D, id % 4)) as few,
        if(id % 20 = 3, null, id div 100) as slow, double(id % 64) as whole,
        double(id * 37 % 997) / 8 as x, float(id * 41 % 1009) / 4 as y,
        if(id % 77 = 1, null, int(id * 13 % 5003)) as n, smallint(id * 29 % 6007) as sn,
        tinyint(id % 113) as bn, if(id % 31 = 2, null, cast(id % 1000 as decimal(7, 2))) as m,
        if(id % 5 = 0, null,
          cast(xxhash64(id, 2) % 1000000000000000 / 100bd as decimal(15, 2))) as d15,
        cast(if(pmod(id, 300) < 40, null,
          if(id % 3 = 0, 1, -1) * 999999999999999999bd) as decimal(18, 0)) as d18,
        date_add(date'2020-01-01', cast(id * 17 % 900 as int)) as day,
        timestamp_seconds(1601500000 + id * 7919 % PRIME * 1000) as at,
        timestamp_ntz'2020-01-31 00:00:00' + make_dt_interval(0, id * 7919 % PRIME) as ntz,
        make_dt_interval(0, id % 500) as dt, make_ym_interval(0, int(id % 300)) as ym,
        case id % 4 when 0 then null when 1 then '' else 'text ' || id % 300 end as text,
        if(id % 6 = 1, null, unhex(hex(id * id))) as bytes
      from range(0, COUNT, 1, 3)
      """;

  private RowsOfAllTypes() {}

  /**
   * Returns a query for so many rows, in three partitions.
   *
   * @param prime a prime number, no less than the rows, over which values of {@code t} are spread
   */
  public static String sql(int count, int prime) {
    if (count > prime) {
      throw new IllegalArgumentException(
          "%d rows over %d values of t, of which two would be the same".formatted(count, prime));
    }
    return ROWS.replace("COUNT", "" + count).replace("PRIME", "" + prime);
  }

  /** Makes the view {@code cells} of them, which Spark computes as they are read. */
  public static void view(SparkSession spark, int count, int prime) {
    spark.sql(sql(count, prime)).createOrReplaceTempView("cells");
  }

  /** Makes the view {@code cells} of them in files of Parquet. */
  public static void stored(SparkSession spark, int count, int prime, Path folder) {
    String files = folder.resolve("cells").toString();
    spark.sql(sql(count, prime)).write().parquet(files);
    spark.read().parquet(files).createOrReplaceTempView("cells");
  }
}
