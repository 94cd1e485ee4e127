/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.conf.OptionScope;
import io.sparkstencil.conf.OptionType;
import java.util.List;

/** Options for Spark's own SQL windows, where stencils compute them. */
public final class SqlOptions {
  /** The largest reach that an option allows. */
  private static final int WIDEST_REACH = 1 << 24;

  /** Whether windows run as stencils. */
  public static final ConfigOption<Boolean> ENABLED =
      option("enabled", OptionType.BOOLEAN, true)
          .doc(
              "Whether SQL windows are computed by this library where it gives the same answer as"
                  + " Spark: ROWS frames of many functions as stencils, others as the options"
                  + " below say. If false, Spark computes all windows.");

  /** Whether windows without PARTITION BY run as stencils. */
  public static final ConfigOption<Boolean> UNPARTITIONED_ENABLED =
      option("unpartitioned.enabled", OptionType.BOOLEAN, true)
          .doc(
              "Whether windows without PARTITION BY are spread over all tasks, as stencils too."
                  + " If false, Spark moves all rows to one task for them.");

  /** Whether rows stay in files that lie in the order of a window. */
  public static final ConfigOption<Boolean> FILES_ENABLED =
      option("files.enabled", OptionType.BOOLEAN, true)
          .doc(
              "Whether rows stay where they are read if the statistics in Parquet files show that"
                  + " the files lie in the order of the window. With PARTITION BY they stay in"
                  + " executors' memory, where there is enough, and only rows near the ends of"
                  + " files are shuffled. If false, all such rows are shuffled.");

  /** Whether ranks and windows without bounds are taken over. */
  public static final ConfigOption<Boolean> RUNNING_ENABLED =
      option("running.enabled", OptionType.BOOLEAN, true)
          .doc(
              "Whether ranks, running totals and other windows whose frames begin or end with the"
                  + " series are computed without Spark's operator: without PARTITION BY spread"
                  + " over all tasks, and with it on series that are collected instead of sorted.");

  /** Whether windows between two bounds that stencils do not compute leave Spark's operator. */
  public static final ConfigOption<Boolean> BOUNDED_ENABLED =
      option("bounded.enabled", OptionType.BOOLEAN, true)
          .doc(
              "Whether windows whose frames lie between two bounds, and which stencils do not"
                  + " compute, are computed without Spark's operator: RANGE frames, and functions"
                  + " such as stddev and collect_list. Without PARTITION BY they are spread over"
                  + " all tasks; with it they, and all frames that are neither stencils nor ranks"
                  + " and running totals, go over series that are collected instead of sorted.");

  /** Whether a GPU sorts the rows of series. */
  public static final ConfigOption<Boolean> DEVICE_SORT_ENABLED =
      option("deviceSort.enabled", OptionType.BOOLEAN, true)
          .doc(
              "Whether the GPU of a task sorts the rows of series that travel as columns, where it"
                  + " is estimated to be faster: without nulls in keys and in the order, and with keys"
                  + " that are neither floating-point numbers nor strings. If false, the CPU sorts"
                  + " them, into the same order.");

  /** How large a partition of series may be before long series of it are cut. */
  public static final ConfigOption<Long> SKEWED_BYTES =
      option("skewedBytes", OptionType.BYTES, 64L << 20)
          .range(1L, Long.MAX_VALUE)
          .doc(
              "How many bytes a shuffle's partition of series needs to count as skewed, if it also"
                  + " has more than two fair shares of a core's work or is eight times as large."
                  + " Long series of such partitions are cut into ranges of their order, for which"
                  + " their rows are shuffled again.");

  /** How large a table may be to count as small. */
  public static final ConfigOption<Long> SMALL_BYTES =
      option("smallBytes", OptionType.BYTES, 4L << 20)
          .range(0L, Long.MAX_VALUE)
          .doc(
              "Up to how many bytes the rows of a window without PARTITION BY go to one task, as"
                  + " with Spark: by what Spark knows of their size, and by what is shuffled of"
                  + " them. Ranges cost a job that samples the rows. More than a million rows are"
                  + " spread whatever they take. If 0, rows are always spread.");

  /** Whether rows are in Spark's partitions. */
  public static final ConfigOption<Boolean> ROWS_AS_SPARK =
      option("rowsAsSpark.enabled", OptionType.BOOLEAN, false)
          .doc(
              "Whether rows of windows leave in the partitions and the order in which Spark's"
                  + " operators leave them, so that sums of floating-point numbers above a window"
                  + " have the last bits that they have in Spark, too. If true, series are brought"
                  + " together by Spark's own exchange, and all rows of a window without PARTITION"
                  + " BY go to one task, both of which take longer.");

  /** Whether windows over integers run as stencils. */
  public static final ConfigOption<Boolean> INTEGRAL_ENABLED =
      option("integral.enabled", OptionType.BOOLEAN, true)
          .doc("Whether windows over tinyint, smallint, int and bigint run as stencils.");

  /** Whether windows over floating-point numbers run as stencils. */
  public static final ConfigOption<Boolean> FLOATING_ENABLED =
      option("floating.enabled", OptionType.BOOLEAN, true)
          .doc("Whether windows over float and double run as stencils.");

  /** Whether windows over decimals run as stencils. */
  public static final ConfigOption<Boolean> DECIMAL_ENABLED =
      option("decimal.enabled", OptionType.BOOLEAN, true)
          .doc(
              "Whether windows over decimals of at most 18 digits run as stencils. Sums and"
                  + " averages do only where no sum can exceed 18 digits.");

  /** Whether windows over dates and times run as stencils. */
  public static final ConfigOption<Boolean> DATETIME_ENABLED =
      option("datetime.enabled", OptionType.BOOLEAN, true)
          .doc(
              "Whether minima and maxima over dates, timestamps and intervals run as"
                  + " stencils.");

  /** How far a frame may reach to run as a stencil. */
  public static final ConfigOption<Integer> MAX_FRAME_REACH =
      option("maxFrameReach", OptionType.INTEGER, 1 << 16)
          .range(0, WIDEST_REACH)
          .doc(
              "How many rows before or after the current row a frame may reach to run as a"
                  + " stencil. Tasks keep that many rows in memory. Wider frames are left to the"
                  + " operators of other windows, and to Spark where bounded.enabled is false.");

  /** How far a frame without PARTITION BY may reach to run as a stencil. */
  public static final ConfigOption<Integer> UNPARTITIONED_MAX_FRAME_REACH =
      option("unpartitioned.maxFrameReach", OptionType.INTEGER, 1 << 13)
          .range(0, WIDEST_REACH)
          .doc(
              "How many rows a frame without PARTITION BY may reach to run as a stencil. For"
                  + " both ends of each partition, the driver keeps that many cells. Wider"
                  + " frames are left to the operators of other windows, or to Spark.");

  /** What is logged about windows that stay with Spark. */
  public static final ConfigOption<String> EXPLAIN =
      option("explain", OptionType.WORD, "none")
          .oneOf(List.of("none", "not_offloaded"))
          .doc(
              "What the driver logs about SQL windows: with none, nothing; with"
                  + " NOT_OFFLOADED, one line for each window that stays with Spark, with the"
                  + " reason.");

  /** All options of SQL windows. */
  public static final List<ConfigOption<?>> ALL =
      List.of(
          ENABLED,
          UNPARTITIONED_ENABLED,
          FILES_ENABLED,
          RUNNING_ENABLED,
          BOUNDED_ENABLED,
          DEVICE_SORT_ENABLED,
          SKEWED_BYTES,
          SMALL_BYTES,
          ROWS_AS_SPARK,
          INTEGRAL_ENABLED,
          FLOATING_ENABLED,
          DECIMAL_ENABLED,
          DATETIME_ENABLED,
          MAX_FRAME_REACH,
          UNPARTITIONED_MAX_FRAME_REACH,
          EXPLAIN);

  private SqlOptions() {}

  private static <T> ConfigOption.Builder<T> option(String key, OptionType<T> type, T value) {
    return ConfigOption.option(StencilOptions.PREFIX + "sql." + key, type, value)
        .scope(OptionScope.QUERY)
        .since("0.1");
  }
}
