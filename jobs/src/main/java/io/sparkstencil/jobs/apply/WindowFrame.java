/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;

/** The rows around a row, as a window of SQL has them. */
sealed interface WindowFrame {
  /**
   * Returns the window's {@code (PARTITION BY ... ORDER BY ... BETWEEN ...)}.
   *
   * @param keys the columns that tell series apart
   * @param order the column that orders rows, of type {@code type}
   */
  String sql(List<String> keys, String order, DataType type);

  /**
   * Checks that the order column can have it.
   *
   * @throws InvalidStencilException if it cannot
   */
  default void requireOf(String order, DataType type) {}

  /** Returns it in words. */
  String text();

  /** So many rows. */
  record OfRows(Frame frame) implements WindowFrame {
    @Override
    public String sql(List<String> keys, String order, DataType type) {
      return window(
          keys,
          quoted(order),
          "ROWS BETWEEN %s AND %s".formatted(row(-frame.preceding()), row(frame.following())));
    }

    @Override
    public String text() {
      int before = frame.preceding();
      int after = frame.following();
      return before == after
          ? "%,d %s on each side".formatted(before, before == 1 ? "row" : "rows")
          : "rows %+d to %+d".formatted(-before, after);
    }

    private static String row(int offset) {
      return offset == 0
          ? "CURRENT ROW"
          : Math.abs(offset) + (offset < 0 ? " PRECEDING" : " FOLLOWING");
    }
  }

  /**
   * Rows whose order values lie within distances; both ends belong to the frame.
   *
   * @param before how far it reaches back
   * @param after how far it reaches on
   */
  record OfOrder(OrderSpan before, OrderSpan after) implements WindowFrame {
    /** Checks that the frame is not empty. */
    public OfOrder {
      Optional<Integer> order = before.negated().compareLength(after);
      if (order.isEmpty()) {
        throw new InvalidStencilException(
            "%s %s and %s %s count different things; give both in months, or both in days and parts of days"
                .formatted(before.option(), before.text(), after.option(), after.text()));
      }
      if (order.get() > 0) {
        throw new InvalidStencilException(
            "%s %s and %s %s leave no frame: it would end before it begins"
                .formatted(before.option(), before.text(), after.option(), after.text()));
      }
    }

    @Override
    public String sql(List<String> keys, String order, DataType type) {
      return window(
          keys,
          OrderSpan.orderSql(quoted(order), type, before, after),
          "RANGE BETWEEN %s AND %s"
              .formatted(before.negated().boundSql(type), after.boundSql(type)));
    }

    @Override
    public String text() {
      return before.equals(after)
          ? before.text() + " on each side"
          : "%s before to %s after".formatted(before.text(), after.text());
    }

    @Override
    public void requireOf(String order, DataType type) {
      before.requireOf(order, type);
      after.requireOf(order, type);
    }
  }

  private static String window(List<String> keys, String order, String frame) {
    String partition =
        keys.isEmpty()
            ? ""
            : keys.stream()
                .map(WindowFrame::quoted)
                .collect(Collectors.joining(", ", "PARTITION BY ", " "));
    return "(%sORDER BY %s %s)".formatted(partition, order, frame);
  }

  /** Returns the column of that very name in SQL, whatever characters it has. */
  static String quoted(String column) {
    return "`" + column.replace("`", "``") + "`";
  }
}
