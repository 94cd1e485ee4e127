/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import static io.sparkstencil.conf.ConfigOption.option;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.conf.OptionScope;
import io.sparkstencil.conf.OptionType;
import java.util.List;

/** Options of Spark's own SQL windows, as far as stencils compute them. */
public final class SqlOptions {
  private static final String PREFIX = StencilOptions.PREFIX + "sql.";

  /** The widest reach that an option allows. */
  private static final int WIDEST_REACH = 1 << 24;

  /** Whether windows are computed as stencils. */
  public static final ConfigOption<Boolean> ENABLED =
      option(PREFIX + "enabled", OptionType.BOOLEAN, true)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc(
              "Whether SQL windows with ROWS frames are computed as stencils where that gives"
                  + " Spark's own answer. If false, Spark computes all of them.");

  /** Whether windows without PARTITION BY are computed as stencils. */
  public static final ConfigOption<Boolean> UNPARTITIONED_ENABLED =
      option(PREFIX + "unpartitioned.enabled", OptionType.BOOLEAN, true)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc(
              "Whether windows without PARTITION BY are computed as stencils, spread over all"
                  + " tasks. If false, Spark moves all rows to one task for them.");

  /** Whether windows over integers are computed as stencils. */
  public static final ConfigOption<Boolean> INTEGRAL_ENABLED =
      option(PREFIX + "integral.enabled", OptionType.BOOLEAN, true)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc("Whether windows over tinyint, smallint, int and bigint are computed as stencils.");

  /** Whether windows over floating-point numbers are computed as stencils. */
  public static final ConfigOption<Boolean> FLOATING_ENABLED =
      option(PREFIX + "floating.enabled", OptionType.BOOLEAN, true)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc("Whether windows over float and double are computed as stencils.");

  /** Whether windows over decimals are computed as stencils. */
  public static final ConfigOption<Boolean> DECIMAL_ENABLED =
      option(PREFIX + "decimal.enabled", OptionType.BOOLEAN, true)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc(
              "Whether windows over decimals of at most 18 digits are computed as stencils. Sums"
                  + " and averages are where no sum can have more than 18 digits.");

  /** Whether windows over dates and times are computed as stencils. */
  public static final ConfigOption<Boolean> DATETIME_ENABLED =
      option(PREFIX + "datetime.enabled", OptionType.BOOLEAN, true)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc(
              "Whether minima and maxima over dates, timestamps and intervals are computed as"
                  + " stencils.");

  /** How far frames reach that are computed as stencils. */
  public static final ConfigOption<Integer> MAX_FRAME_REACH =
      option(PREFIX + "maxFrameReach", OptionType.INTEGER, 1 << 16)
          .range(0, WIDEST_REACH)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc(
              "How many rows before or after the current one a frame may reach to be computed as"
                  + " a stencil. Tasks keep so many rows in memory. Wider frames stay with Spark.");

  /** How far frames without PARTITION BY reach that are computed as stencils. */
  public static final ConfigOption<Integer> UNPARTITIONED_MAX_FRAME_REACH =
      option(PREFIX + "unpartitioned.maxFrameReach", OptionType.INTEGER, 1 << 13)
          .range(0, WIDEST_REACH)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc(
              "How many rows a frame may reach without PARTITION BY to be computed as a stencil."
                  + " The driver keeps so many cells of both ends of each partition. Wider frames"
                  + " stay with Spark.");

  /** What is said about windows that stay with Spark. */
  public static final ConfigOption<String> EXPLAIN =
      option(PREFIX + "explain", OptionType.WORD, "none")
          .oneOf(List.of("none", "not_offloaded"))
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc(
              "What the driver's log says about SQL windows: none for nothing, NOT_OFFLOADED for a"
                  + " line about each window that stays with Spark, with the reason.");

  /** Every option of SQL windows. */
  public static final List<ConfigOption<?>> ALL =
      List.of(
          ENABLED,
          UNPARTITIONED_ENABLED,
          INTEGRAL_ENABLED,
          FLOATING_ENABLED,
          DECIMAL_ENABLED,
          DATETIME_ENABLED,
          MAX_FRAME_REACH,
          UNPARTITIONED_MAX_FRAME_REACH,
          EXPLAIN);

  private SqlOptions() {}
}
