/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.TextOrder;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.TieOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.types.DataType;

/**
 * What is known of the rows of series: where their columns lie, and by which they are told apart
 * and ordered. A row has words of null bits, one bit for each column, and then a word for each.
 */
public final class SeriesLayout implements Serializable {
  private static final long serialVersionUID = 1L;

  private final RowLayout rows;
  private final DataType[] types;
  private final int[] texts;
  private final int[] keys;
  private final List<OrderKey> order = new ArrayList<>();
  private final List<OrderKey> ties; // values, then bits; null if rows that tie stay as they come

  /**
   * Creates the layout, where nothing is against it.
   *
   * @param keys the order of the keys
   * @param rowOrder the order within a series
   */
  public SeriesLayout(RowOrder keys, RowOrder rowOrder) {
    List<Attribute> columns = ScalaInterop.list(keys.attributes());
    this.rows = RowLayout.ofColumns(columns);
    this.texts = rows.texts().stream().mapToInt(field -> field).toArray();
    this.types =
        columns.stream().map(each -> Texts.stored(each.dataType())).toArray(DataType[]::new);
    this.keys =
        keys.keyExpressions().stream()
            .mapToInt(key -> ScalaInterop.ordinal(column(key), keys.attributes()))
            .distinct()
            .toArray();
    for (SortOrder each : ScalaInterop.list(rowOrder.sortOrder())) {
      int field = ScalaInterop.ordinal(each.child(), keys.attributes());
      if (isKey(field)) {
        continue; // equal in all rows of a series
      }
      order.add(
          new OrderKey(
              field,
              word(field),
              isText(field) ? types[field] : null,
              each.direction() == Descending$.MODULE$,
              each.nullOrdering() == NullsFirst$.MODULE$));
    }
    this.ties = null;
  }

  /** Returns the layout of rows that are all one series, where nothing is against it. */
  public static SeriesLayout ofOneSeries(RowOrder order) {
    return new SeriesLayout(new RowOrder(ScalaInterop.seqOf(), order.attributes()), order);
  }

  /** Returns the layout of rows in an order, with that of those that tie. */
  public static SeriesLayout of(UnitOrder order) {
    SeriesLayout layout =
        order.keys() == null
            ? ofOneSeries(order.order())
            : new SeriesLayout(order.keys(), order.order());
    if (order.ties() instanceof CellReader cells) {
      return layout.breakingTies(cells);
    }
    return order.ties() instanceof WordTies words ? new SeriesLayout(layout, words.keys()) : layout;
  }

  private SeriesLayout(SeriesLayout other, List<OrderKey> ties) {
    this.rows = other.rows;
    this.types = other.types;
    this.texts = other.texts;
    this.keys = other.keys;
    this.order.addAll(other.order);
    this.ties = ties;
  }

  /**
   * Returns this layout with rows that tie in an order that depends on the rows alone, as {@link
   * CellReader#compareTies} has it: by values, where these are equal by their bits, and then by
   * those of the whole rows.
   *
   * @param cells reads the values
   */
  public SeriesLayout breakingTies(CellReader cells) {
    return breakingTies(cells.ordinals());
  }

  /**
   * Returns this layout, where rows that tie are ordered likewise by the values of some columns
   * first; of these, texts that are not ordered by their bytes are ordered with the whole rows.
   */
  SeriesLayout breakingTies(int... fields) {
    int[] others = others();
    List<OrderKey> ties = new ArrayList<>();
    for (int field : fields) {
      boolean read = Arrays.binarySearch(others, field) >= 0; // a count of rows reads none
      if (read && (!isText(field) || TextOrder.isByBytes(types[field]))) {
        ties.add(new OrderKey(field, word(field), false, true));
      }
    }
    for (OrderKey value : List.copyOf(ties)) {
      if (value.type().isFloating()) {
        WordType bits = value.type() == WordType.DOUBLE ? WordType.LONG : WordType.INT;
        ties.add(new OrderKey(value.field(), bits, false, true));
      }
    }
    return new SeriesLayout(this, ties);
  }

  /**
   * Tells whether series of rows with these keys can be collected: whether all keys are columns,
   * few enough, and have the same bytes where they are equal.
   */
  public static boolean isPossible(RowOrder keys) {
    return keys.keyExpressions().size() <= Long.SIZE
        && keys.hasBinaryKeys()
        && keys.keyExpressions().stream().allMatch(SeriesLayout::isColumn);
  }

  /**
   * Tells whether a key is a column, or one whose equal floating-point numbers are made the same.
   */
  public static boolean isColumn(Expression key) {
    return column(key) instanceof Attribute;
  }

  /** Returns what a key is before Spark makes equal floating-point numbers the same. */
  private static Expression column(Expression key) {
    return key instanceof KnownFloatingPointNormalized known
            && known.child() instanceof NormalizeNaNAndZero same
        ? same.child()
        : key;
  }

  /** Returns how rows lie in memory, and are shuffled. */
  public RowLayout rows() {
    return rows;
  }

  int fields() {
    return types.length;
  }

  /** Returns for each column where it is among some, or -1. */
  int[] placesIn(int[] some) {
    int[] places = new int[types.length];
    Arrays.fill(places, -1);
    for (int i = 0; i < some.length; i++) {
      places[some[i]] = i;
    }
    return places;
  }

  /** Returns how many words of null bits a row has, which come before those of its columns. */
  int nullWords() {
    return rows.words() - types.length;
  }

  /** Returns how values lie in words; those of texts say where their bytes are. */
  WordType word(int field) {
    return isText(field) ? WordType.LONG : WordType.kept(types[field]);
  }

  boolean isText(int field) {
    return Texts.liesApart(types[field]);
  }

  /** Returns the columns of texts, whose bytes are kept apart from their words. */
  int[] texts() {
    return texts;
  }

  /** Tells whether rows have texts. */
  public boolean hasTexts() {
    return texts.length > 0;
  }

  DataType type(int field) {
    return types[field];
  }

  private boolean isKey(int field) {
    return Arrays.stream(keys).anyMatch(key -> key == field);
  }

  /** Returns the columns of the keys, each of which is equal in all rows of a series. */
  public int[] keys() {
    return keys;
  }

  /**
   * Returns the columns that rows of a series may differ in, keys of floating-point numbers among
   * them: some that differ are equal.
   */
  int[] others() {
    return IntStream.range(0, types.length)
        .filter(field -> word(field).isFloating() || !isKey(field))
        .toArray();
  }

  /** Returns the columns of the order within a series, which may be none. */
  public List<OrderKey> order() {
    return order;
  }

  /** Tells whether rows of a series are ordered, and first by a column whose words have numbers. */
  public boolean isOrderedByNumbers() {
    return !order.isEmpty() && !order.get(0).isOfTexts();
  }

  /** Tells whether rows that tie have an order. */
  boolean breaksTies() {
    return ties != null;
  }

  /** Returns the order that rows which tie have, of rows in memory; null if they have none. */
  TieOrder rowTies() {
    return ties == null
        ? null
        : new WordTies(nullWords(), ties, Arrays.stream(texts).boxed().toList());
  }

  /** Returns the columns by which rows that tie are ordered first, where they have an order. */
  List<OrderKey> ties() {
    return ties;
  }
}
