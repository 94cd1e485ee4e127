/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.frames.DoubleSums;
import io.sparkstencil.spark.catalyst.frames.PackedDoubles;
import io.sparkstencil.spark.catalyst.frames.RunningState;
import io.sparkstencil.spark.catalyst.frames.StateCollector;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import io.sparkstencil.spark.catalyst.interop.GroupedRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.loops.LoopStart;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.running.RunningPlan;
import io.sparkstencil.spark.catalyst.running.RunningStart;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
import io.sparkstencil.spark.catalyst.running.StartValues;
import io.sparkstencil.spark.catalyst.running.UnitHalo;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.shuffle.RangeStates;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.storage.StorageLevel;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Runs windows over one series of rows in ranges of its order, in two steps. First, the states of
 * the ranges go to the driver, which makes of them what each range starts from. Then each task goes
 * through its rows in order.
 *
 * @param plan the windows
 * @param series the rows
 * @param task what each task is
 */
public record RunningInput(RunningPlan plan, SpreadSeries series, WindowTask task)
    implements OneSeriesInput {
  /**
   * The most rows that loops may hold because they tie; where they may be more, tasks read rows,
   * which go to disk while they tie.
   */
  private static final long MOST_TIED_ROWS = 1L << 20;

  /** The most shuffled bytes of such rows. */
  private static final long MOST_TIED_BYTES = 16L << 20;

  @Override
  public RDD<InternalRow> shuffled(SharedRanges shared, SQLConf conf) {
    Ranges ranges = ranges(shared, conf);
    return ranges == null
        ? ScalaInterop.noPartitions(series.child(), InternalRow.class)
        : rows(ranges);
  }

  private RDD<InternalRow> rows(Ranges ranges) {
    OrderedParts parts = ranges.parts();
    return results(parts, starts(parts, ranges.states(), () -> packed(parts)));
  }

  @Override
  public RDD<ColumnarBatch> shuffledColumns(LoopPlan loops, SharedRanges shared, SQLConf conf) {
    Ranges ranges = ranges(shared, conf);
    if (ranges == null) {
      return ScalaInterop.noPartitions(series.child(), ColumnarBatch.class);
    }
    OrderedParts.Shuffled parts = ranges.parts();
    if (loops.takesTiesIn() && ranges.mayTieBeyondMemory()) {
      return loops.batches(rows(ranges));
    }
    List<RunningStart> starts = starts(parts, ranges.states(), () -> packed(parts));
    RangeLoops each = new RangeLoops(loops, plan.layout(), unitOrder(parts, true), task);
    StartValues values = plan.startValues();
    SeriesFrames frames = plan.frames();
    UnitHalo all = UnitHalo.none(Integer.MAX_VALUE);
    return parts
        .units()
        .readBatches(
            starts,
            (context, from, own) ->
                each.run(
                    context,
                    own,
                    all,
                    start(from, values),
                    (rows, before, count) -> frames.run(rows, from)),
            ScalaInterop.tag(ColumnarBatch.class));
  }

  private static LoopStart start(RunningStart from, StartValues values) {
    return from.failure() == null
        ? new LoopStart(values.total(from), values.of(from), null)
        : new LoopStart(0, List.of(), from.failure());
  }

  /**
   * Ranges that were shuffled.
   *
   * @param states finds what is to be known of each part
   * @param mostRows finds how many rows the greatest unit has; 0 if map tasks did not count them
   */
  private record Ranges(
      OrderedParts.Shuffled parts, Supplier<List<RunningState>> states, LongSupplier mostRows) {
    /** Tells whether rows that tie, all of one unit, may be more than are to be in memory. */
    boolean mayTieBeyondMemory() {
      return parts.units().units().stream().anyMatch(unit -> unit.bytes() > MOST_TIED_BYTES)
          || mostRows.getAsLong() > MOST_TIED_ROWS;
    }
  }

  /** Returns ranges, or null if there are no rows. */
  private Ranges ranges(SharedRanges shared, SQLConf conf) {
    StateSpec spec = plan.states();
    RangeStates finder = new RangeStates(series.context(), spec);
    RangeStage.Ranges ranges = series.ranges(finder, shared, conf, task);
    if (ranges == null) {
      return null;
    }
    boolean found = ranges.finder() == finder && finder.findsStates();
    OrderedParts.Shuffled parts =
        new OrderedParts.Shuffled(ranges.units(), series.child().output());
    return new Ranges(
        parts,
        () -> found ? found(finder, ranges.units()) : read(parts, spec),
        () -> found ? mostRows(finder, ranges.units()) : 0);
  }

  private static long mostRows(RangeStates finder, ShuffledUnits units) {
    return units.units().stream()
        .mapToLong(unit -> finder.rows(unit.from(), unit.until()))
        .max()
        .orElse(0);
  }

  private static List<RunningState> found(RangeStates finder, ShuffledUnits units) {
    List<RunningState> states = new ArrayList<>();
    for (int group = 0; group < units.groups().size(); group++) {
      ShuffledUnits.Run partitions = units.partitions(group);
      states.add(finder.state(partitions.from(), partitions.until()));
    }
    return states;
  }

  @Override
  public RDD<InternalRow> ranged(RowPlacement where) {
    OrderedParts parts = OrderedParts.InPlace.of(series.child(), where);
    return results(parts, starts(parts, where));
  }

  private List<RunningStart> starts(OrderedParts parts, RowPlacement where) {
    return starts(
        parts,
        () -> {
          if (plan.states().isEmpty() && !where.counts().isEmpty()) {
            return counted(where.counts(), plan.states());
          }
          OrderedParts narrow = narrow(plan.states(), where);
          return read(narrow, plan.states().of(narrow.columns()));
        },
        () -> packed(where));
  }

  /** Rows none of which tie are taken from the columns of files as they come. */
  @Override
  public RDD<ColumnarBatch> rangedColumns(LoopPlan loops, RowPlacement where) {
    SeriesLayout layout = plan.layout();
    boolean mayTieBeyondMemory =
        !where.distinct()
            && (where.counts().isEmpty()
                || where.counts().stream().anyMatch(rows -> rows > MOST_TIED_ROWS));
    if (layout.hasTexts() || (loops.takesTiesIn() && mayTieBeyondMemory)) {
      return OneSeriesInput.super.rangedColumns(loops, where);
    }
    OrderedParts parts = OrderedParts.InPlace.of(series.child(), where);
    List<RunningStart> starts = starts(parts, where);
    UnitOrder by = unitOrder(parts, true);
    RangeLoops each = new RangeLoops(loops, layout, by, task);
    StartValues values = plan.startValues();
    if (where.distinct() && series.columns() != null) {
      return new GroupedRdd<>(
          where.columns(series.columns()),
          parts.starts(),
          starts,
          (context, from, own) -> each.runInPlace(own.next(), start(from, values)),
          ScalaInterop.tag(ColumnarBatch.class));
    }
    boolean sorted = parts.sorted();
    WindowTask rows = task;
    return parts.run(
        starts,
        (context, from, own) ->
            each.runInPlace(
                new BatchPacker(loops.input()).batches(rows.inOrder(context, own, by, sorted)),
                start(from, values)),
        ColumnarBatch.class);
  }

  private static List<RunningState> counted(List<Long> counts, StateSpec spec) {
    List<RunningState> states = new ArrayList<>();
    for (long count : counts) {
      StateCollector collector = spec.collectors().get();
      collector.count(count);
      states.add(collector.state());
    }
    return states;
  }

  /** Returns the child's rows with as many columns as states and the order need. */
  private OrderedParts narrow(StateSpec spec, RowPlacement where) {
    return OrderedParts.InPlace.of(narrowPlan(spec, where), where);
  }

  private SparkPlan narrowPlan(StateSpec spec, RowPlacement where) {
    List<Expression> needed = new ArrayList<>(spec.updates());
    if (!where.distinct()) { // else rows are taken as they come
      if (spec.ordered()) {
        needed.addAll(plan.tied());
      }
      ScalaInterop.list(series.order()).forEach(each -> needed.add(each.child()));
    }
    return NarrowPlan.of(series.child(), needed);
  }

  /**
   * Returns what parts start from. A single part knows without a look at the rows.
   *
   * @param states finds the states of the parts
   * @param packed the columns of the same parts that a chain needs, in order and packed
   */
  private List<RunningStart> starts(
      OrderedParts parts, Supplier<List<RunningState>> states, Supplier<RDD<byte[]>> packed) {
    long start = System.nanoTime();
    List<RunningStart> starts =
        parts.count() <= 1 && !plan.needsTotal()
            ? Collections.nCopies(parts.count(), plan.start())
            : plan.starts(states.get(), chain(packed));
    task.setMillis(StencilMetric.HALO_MILLIS, start);
    return starts;
  }

  /** Returns the rows with their results. */
  private RDD<InternalRow> results(OrderedParts parts, List<RunningStart> starts) {
    UnitOrder by = unitOrder(parts, true);
    boolean sorted = parts.sorted();
    WindowTask each = task;
    SeriesFrames frames = plan.frames();
    return parts.run(
        starts,
        (context, from, own) ->
            each.counted(frames.run(each.inOrder(context, own, by, sorted), from)),
        InternalRow.class);
  }

  /** Reads all rows for the states of their parts, which is a job. */
  private List<RunningState> read(OrderedParts parts, StateSpec spec) {
    UnitOrder by = unitOrder(parts, spec.ordered());
    boolean sorted = parts.sorted();
    WindowTask each = task;
    RDD<RunningState> states =
        parts.run(
            Collections.nCopies(parts.count(), 0),
            (context, none, own) -> {
              Iterator<InternalRow> rows = // put in order only if that matters
                  spec.ordered()
                      ? each.inOrder(context, own, by, sorted)
                      : own.flatMap(unit -> unit);
              return ScalaInterop.seqOf(spec.state(rows)).iterator();
            },
            RunningState.class);
    return TaskFindings.of(states);
  }

  /**
   * Returns the states after each part of what must be gone through in order. All parts are put in
   * order at the same time, and the columns that are needed are kept where that was done. A single
   * task then goes through these columns.
   */
  private List<RunningState> chain(Supplier<RDD<byte[]>> source) {
    StateSpec spec = plan.chain();
    if (spec.isEmpty()) {
      return List.of();
    }
    RDD<byte[]> packed = source.get();
    List<DoubleSums.Term> doubles = plan.chainOfDoubles();
    packed.persist(StorageLevel.MEMORY_AND_DISK());
    try {
      packed.count();
      RDD<RunningState> states =
          new GroupedRdd<>(
              packed,
              new int[] {0, packed.getNumPartitions()},
              List.of(0),
              (context, none, all) -> RunningChain.states(all, spec, doubles),
              ScalaInterop.tag(RunningState.class));
      return TaskFindings.of(states);
    } finally {
      packed.unpersist(false);
    }
  }

  private RDD<byte[]> packed(OrderedParts parts) {
    UnitOrder by = unitOrder(parts, true);
    boolean sorted = parts.sorted();
    WindowTask each = task;
    Seq<Attribute> from = parts.columns();
    Seq<Attribute> columns = plan.chain().input();
    boolean doubles = plan.chainOfDoubles() != null;
    return parts.run(
        Collections.nCopies(parts.count(), 0),
        (context, none, own) ->
            RunningChain.packed(each.inOrder(context, own, by, sorted), from, columns, doubles),
        byte[].class);
  }

  /** Returns the columns of rows that stay where they are; those of files without making rows. */
  private RDD<byte[]> packed(RowPlacement where) {
    StateSpec spec = plan.chain();
    SparkPlan narrow = narrowPlan(spec, where);
    boolean asTheyCome = where.distinct() && plan.chainOfDoubles() != null;
    RDD<ColumnarBatch> batches = asTheyCome ? where.batches(narrow) : null;
    if (batches == null) {
      return packed(OrderedParts.InPlace.of(narrow, where));
    }
    int[] columns = RunningChain.ordinals(spec.input(), narrow.output());
    PartitionEvaluatorFactory<ColumnarBatch, byte[]> packing =
        () -> (index, inputs) -> PackedDoubles.ofBatches(inputs.apply(0), columns);
    return batches.mapPartitionsWithEvaluator(packing, ScalaInterop.tag(byte[].class));
  }

  /**
   * Returns what puts the rows of parts in order.
   *
   * @param ties whether the order of rows that tie matters
   */
  private UnitOrder unitOrder(OrderedParts parts, boolean ties) {
    Seq<Attribute> columns = parts.columns();
    if (parts instanceof OrderedParts.InPlace own && own.distinct()) {
      RowOrder none = new RowOrder(ScalaInterop.seqOf(), columns); // its keys may not be there
      return UnitOrder.ofOneSeries(none, null, DataTypeUtils.fromAttributes(columns));
    }
    boolean stay = !ties || (series.keepsTies() && parts instanceof OrderedParts.InPlace);
    return series.unitOrder(columns, stay ? null : plan.ties(columns));
  }
}
