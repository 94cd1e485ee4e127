/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Tables of random rows in random order, in groups of all sizes, with all kinds of odd values. */
final class CaseTable {
  private static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("t", DataTypes.LongType, false)
          .add("g", DataTypes.IntegerType)
          .add("h", DataTypes.StringType)
          .add("x", DataTypes.DoubleType)
          .add("b", DataTypes.ByteType)
          .add("s", DataTypes.ShortType)
          .add("i", DataTypes.IntegerType)
          .add("l", DataTypes.LongType)
          .add("w", DataTypes.LongType)
          .add("f", DataTypes.FloatType)
          .add("d", DataTypes.DoubleType)
          .add("m", DataTypes.createDecimalType(7, 2))
          .add("n", DataTypes.createDecimalType(15, 4))
          .add("p", DataTypes.createDecimalType(25, 3))
          .add("day", DataTypes.DateType)
          .add("at", DataTypes.TimestampType)
          .add("text", DataTypes.StringType)
          .add("whole", DataTypes.IntegerType, false);

  private static final double[] ODD_DOUBLES = {
    Double.NaN, -0.0, 0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300, -1e300, 1e-310
  };

  private static final int[] SIZES = {1, 1, 2, 2, 3, 7, 20, 61, 150, 400};

  private static final List<String> CONDITIONS =
      List.of(
          "true",
          "whole % 3 > 0",
          "x > 1 or g is null",
          "text is not null and length(text) > 6",
          "h <> 'h2' and coalesce(d, f, 0) <= 4",
          "nullif(b, 0) > 0 and 100 div b < 40",
          "t > 100000");

  private static final List<Map<String, Column>> COLUMNS =
      List.of(
          Map.of(),
          Map.of("d", col("f").cast("double"), "whole", expr("whole % 100")),
          Map.of("i", col("s").cast("int"), "s", expr("cast(length(text) as smallint)")),
          Map.of("x", expr("x * 2"), "day", expr("date_add(day, 1)"), "f", expr("float(b)")),
          Map.of("t", expr("-t"), "g", expr("if(g > 2, null, g)"), "m", expr("-m")));

  private final Random random;
  private final double nulls;
  private final double odd;

  private CaseTable(Random random) {
    this.random = random;
    this.nulls = new double[] {0, 0.1, 0.5, 1}[random.nextInt(4)];
    this.odd = new double[] {0, 0.2, 0.7}[random.nextInt(3)];
  }

  /** Returns a table; {@code x}, {@code g} and {@code h} repeat, {@code t} does not. */
  static Dataset<Row> of(SparkSession spark, Random random) {
    List<Row> rows = new CaseTable(random).rows();
    int partitions = 1 + random.nextInt(4);
    Dataset<Row> table = spark.createDataFrame(rows, SCHEMA);
    return random.nextBoolean() ? table.repartition(partitions) : table.coalesce(partitions);
  }

  /**
   * Returns the table from files in the order of {@code t}, the rows of each in that order or not.
   */
  static Dataset<Row> inFiles(Dataset<Row> table, Random random, Path folder) {
    Dataset<Row> ranges = table.repartitionByRange(1 + random.nextInt(5), col("t"));
    (random.nextBoolean() ? ranges.sortWithinPartitions("t") : ranges)
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder.toString());
    return table.sparkSession().read().parquet(folder.toString());
  }

  /** Returns the table, or some of its rows, or the table with other values in some columns. */
  static Dataset<Row> selected(Dataset<Row> table, Random random) {
    return random.nextInt(3) == 0
        ? table
        : table
            .where(CONDITIONS.get(random.nextInt(CONDITIONS.size())))
            .withColumns(COLUMNS.get(random.nextInt(COLUMNS.size())));
  }

  private List<Row> rows() {
    List<Integer> groups = new ArrayList<>();
    int count = random.nextInt(12);
    for (int group = 0; group < count; group++) {
      int size = SIZES[random.nextInt(SIZES.length)];
      groups.addAll(Collections.nCopies(size, group));
    }
    Collections.shuffle(groups, random);
    List<Row> rows = new ArrayList<>();
    for (int id = 0; id < groups.size(); id++) {
      rows.add(row(id, groups.get(id)));
    }
    Collections.shuffle(rows, random);
    return rows;
  }

  private Row row(int id, int group) {
    double number = random.nextGaussian() * Math.pow(10, random.nextInt(12));
    return RowFactory.create(
        (long) id,
        id * 5L - 300,
        group == 0 ? null : group % 6,
        group % 5 == 1 ? null : "h" + group % 4,
        odd() ? ODD_DOUBLES[random.nextInt(5)] : (double) random.nextInt(9),
        maybe((byte) random.nextInt()),
        maybe((short) random.nextInt()),
        maybe(odd() ? Integer.MIN_VALUE : random.nextInt()),
        maybe(random.nextLong() >> 12),
        maybe(random.nextLong()),
        maybe(odd() ? (float) ODD_DOUBLES[random.nextInt(7)] : (float) number),
        maybe(odd() ? ODD_DOUBLES[random.nextInt(8)] : number),
        maybe(BigDecimal.valueOf(random.nextInt(19_999_999) - 9_999_999, 2)),
        maybe(BigDecimal.valueOf(random.nextLong() % 999_999_999_999_999L, 4)),
        maybe(new BigDecimal(new BigInteger(80, random), 3)),
        maybe(new Date(1_700_000_000_000L + 86_400_000L * random.nextInt(900))),
        maybe(new Timestamp(1_700_000_000_000L + random.nextInt())),
        maybe(text()),
        random.nextInt());
  }

  private String text() {
    return switch (random.nextInt(9)) {
      case 0 -> "";
      case 1 -> "€ä😀".repeat(random.nextInt(9));
      case 2 -> "text".repeat(random.nextInt(500));
      default -> "text " + random.nextInt(50);
    };
  }

  private boolean odd() {
    return random.nextDouble() < odd;
  }

  private <T> T maybe(T value) {
    return random.nextDouble() < nulls ? null : value;
  }
}
