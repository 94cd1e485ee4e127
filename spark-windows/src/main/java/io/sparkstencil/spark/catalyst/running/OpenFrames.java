/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.Buffers;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.OpenBound;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import io.sparkstencil.spark.catalyst.frames.RangeBound;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.io.Serializable;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.types.DataType;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Windows whose frames have one bound: {@code 5 PRECEDING AND UNBOUNDED FOLLOWING}; from the
 * current row on, if that is the bound. A task that has the rows of a series from one to another
 * needs no others, but for what was aggregated of those before and after.
 */
public final class OpenFrames implements Serializable {
  private static final long serialVersionUID = 1L;

  private final List<Group> groups = new ArrayList<>();
  private final RowOrder order;
  private final Seq<Attribute> input;

  /**
   * Functions with one frame.
   *
   * @param key the bound by keys; null if it is one of rows, or the current row
   */
  private record Group(OpenBound bound, RangeBound key, RestSpec functions, boolean ordered)
      implements Serializable {
    OpenFrame start(RowOrder order) {
      BoundOrder by = by(order);
      return bound.toLast()
          ? new OpenFrame.Shrinking(functions, by)
          : new OpenFrame.Growing(functions, by);
    }

    private BoundOrder by(RowOrder order) {
      if (bound.byRows()) {
        return BoundOrder.ofRows(bound.rows());
      }
      return key == null ? BoundOrder.ofTies(order) : BoundOrder.ofKeys(key, order);
    }
  }

  /**
   * Plans windows.
   *
   * @param windows windows with their names, each with such a frame
   * @param orderSpec their order
   * @param input the columns of the rows
   * @param zone the session's time zone
   */
  public OpenFrames(
      List<NamedExpression> windows, Seq<SortOrder> orderSpec, Seq<Attribute> input, ZoneId zone) {
    this.order = new RowOrder(orderSpec, input);
    this.input = input;
    Map<OpenBound, List<NamedExpression>> byBound = new LinkedHashMap<>();
    for (NamedExpression each : windows) {
      byBound.computeIfAbsent(bound(window(each)), key -> new ArrayList<>()).add(each);
    }
    byBound.forEach(
        (bound, some) -> {
          List<SuffixAggregate> functions = new ArrayList<>();
          List<Attribute> results = new ArrayList<>();
          for (NamedExpression each : some) {
            functions.add(Aggregates.ofRest(window(each).windowFunction(), FrameExtent.REST));
            results.add(each.toAttribute());
          }
          RangeBound key =
              bound.byRows() || bound.bound() == CurrentRow$.MODULE$
                  ? null
                  : RangeBound.of(orderSpec.apply(0), bound.bound(), zone);
          boolean ordered = functions.stream().anyMatch(RunningFunction::isOrdered);
          RestSpec spec = RestSpec.of(functions, results, input);
          groups.add(new Group(bound, key, spec, ordered));
        });
  }

  private static WindowExpression window(NamedExpression named) {
    return (WindowExpression) ((Alias) named).child();
  }

  private static OpenBound bound(WindowExpression window) {
    FrameExtent extent = FrameExtent.of(window);
    return extent != null && extent.isRest()
        ? new OpenBound(true, extent == FrameExtent.REST, CurrentRow$.MODULE$)
        : OpenBound.of(window);
  }

  /** Tells whether there are no windows. */
  public boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Returns the columns of the results. */
  public List<Attribute> results() {
    return groups.stream().flatMap(each -> each.functions().results().stream()).toList();
  }

  /** Returns what is to be known of rows that a task does not have. */
  public StateSpec states() {
    PartialBuffers all = PartialBuffers.NONE;
    for (Group each : groups) {
      all = all.and(each.functions().buffers());
    }
    return new StateSpec(all, groups.stream().anyMatch(Group::ordered), input);
  }

  /** Returns frames for the rows of a task. */
  public Moving start() {
    return new Moving();
  }

  /** The frames of a task. */
  public final class Moving {
    private final List<OpenFrame> frames = new ArrayList<>();
    private final List<InternalRow> none = new ArrayList<>(); // the buffers of no rows, of each
    private final DataType[] buffers = states().buffers().types();
    private final DataType[] types =
        results().stream().map(Attribute::dataType).toArray(DataType[]::new);
    private final SpecificInternalRow values = Buffers.of(types, new Object[types.length]);

    private Moving() {
      for (Group each : groups) {
        frames.add(each.start(order));
        none.add(each.functions().none());
      }
    }

    /**
     * Begins with rows that follow each other.
     *
     * @param rows these rows, which may be gone through twice
     * @param before the buffers of {@link #states} of the rows before them; null if there are none
     * @param after those of the rows after them
     */
    public void prepare(Supplier<Iterator<UnsafeRow>> rows, InternalRow before, InternalRow after) {
      int first = 0;
      for (int i = 0; i < frames.size(); i++) {
        Group group = groups.get(i);
        InternalRow beyond = group.bound().toLast() ? after : before;
        int columns = group.functions().buffers().columns().size();
        frames
            .get(i)
            .prepare(
                rows,
                beyond == null
                    ? none.get(i)
                    : new GenericInternalRow(Buffers.values(beyond, buffers, first, columns)));
        first += columns;
      }
    }

    /** Moves to the row with an index among those rows. */
    public void move(long index, UnsafeRow row) {
      int ordinal = 0;
      for (OpenFrame each : frames) {
        UnsafeRow results = each.move(index, row);
        for (int i = 0; i < results.numFields(); i++) {
          DataType type = types[ordinal];
          values.update(ordinal++, results.isNullAt(i) ? null : results.get(i, type));
        }
      }
    }

    /** Returns the results at the current row, which the next call overwrites. */
    public InternalRow values() {
      return values;
    }
  }
}
