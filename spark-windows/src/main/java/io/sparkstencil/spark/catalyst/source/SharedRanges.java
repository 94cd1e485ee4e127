/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.error.AwaitedFailure;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.source.files.SplitRanges;
import io.sparkstencil.spark.conf.SqlOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.apache.spark.Partition;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec;
import scala.collection.immutable.Seq;

/**
 * The ranges that all operators of one run of a query have in common that want the same rows in the
 * same order: a shuffle, or partitions of files that lie in that order. Spark shares its exchanges
 * by comparing plans; this shuffle is part of an operator, so operators look for one that was made
 * before.
 *
 * <p>Operators hold what they share. With the last of them it goes, and with it the shuffle's
 * files.
 */
public final class SharedRanges {
  private static final Set<SharedRanges> ALL = Collections.newSetFromMap(new WeakHashMap<>());

  /** Stands for an execution while an operator is run outside of one, by this thread. */
  private static final ThreadLocal<Object> RUN = new ThreadLocal<>();

  private final Object execution;
  private final SparkPlan rows;
  private final Seq<SortOrder> order;
  private final SparkPlan sorted; // says which rows and which order; never run
  private final Once<Optional<RowPlacement>> inFiles = new Once<>();
  private final Once<RangeStage.Ranges> ranges = new Once<>();

  private SharedRanges(Object execution, SparkPlan rows, Seq<SortOrder> order) {
    this.execution = execution;
    this.rows = rows;
    this.order = order;
    this.sorted = new SortExec(order, true, withoutTableStages(rows), 0);
  }

  /** Stages of cached tables are numbered, and therefore never equal. */
  private static SparkPlan withoutTableStages(SparkPlan plan) {
    if (plan instanceof TableCacheQueryStageExec stage) {
      return stage.plan();
    }
    List<SparkPlan> children = new ArrayList<>();
    ScalaInterop.list(plan.children()).forEach(child -> children.add(withoutTableStages(child)));
    return plan.withNewChildren(ScalaInterop.seq(children));
  }

  /**
   * Returns what operators share.
   *
   * @param execution the run of the query, or null outside of one: then those share that {@link
   *     #run} one of them
   * @param rows the plan of the rows
   * @param order the order of the ranges
   */
  public static SharedRanges of(String execution, SparkPlan rows, Seq<SortOrder> order) {
    Object run = execution == null ? RUN.get() : execution;
    SharedRanges wanted = new SharedRanges(run, rows, order);
    if (run == null) {
      return wanted;
    }
    synchronized (ALL) {
      for (SharedRanges each : ALL) {
        if (each.isFor(wanted)) {
          return each;
        }
      }
      ALL.add(wanted);
    }
    return wanted;
  }

  /**
   * Runs an operator. It may read rows of operators below more than once, their ends and then all:
   * these share ranges also outside of an execution of Spark's, or they would not be the same.
   */
  public static <T> T run(Supplier<T> operator) {
    if (RUN.get() != null) {
      return operator.get();
    }
    RUN.set(new Object());
    try {
      return operator.get();
    } finally {
      RUN.remove();
    }
  }

  private boolean isFor(SharedRanges other) {
    return execution.equals(other.execution) && sorted.sameResult(other.sorted);
  }

  /**
   * Returns where the rows lie in the files that they are read from, if these lie in the order.
   * Reads the footers of the files and the keys of the rows, which are jobs.
   */
  public Optional<RowPlacement> inFiles() {
    return SessionOptions.ofSession().get(SqlOptions.FILES_ENABLED) && !InputSize.isSmall(rows)
        ? inFiles.get(() -> SplitRanges.of(rows, order).map(this::placed))
        : Optional.empty();
  }

  private RowPlacement placed(Partition[] splits) {
    RowPlacement files = RowPlacement.inFiles(splits);
    return files.probed(OrderProbe.of(rows, order, files));
  }

  /** Returns the shuffle; null if there are no rows. */
  RangeStage.Ranges ranges(Supplier<RangeStage.Ranges> maker) {
    return ranges.get(maker);
  }

  /** What is made once. */
  private static final class Once<T> {
    private FutureTask<T> made; // or being made

    /**
     * Returns what the first caller makes while the others wait. Those who wait can be interrupted,
     * and fail as the first does; who asks later tries again.
     */
    T get(Supplier<T> maker) {
      FutureTask<T> own = new FutureTask<>(maker::get);
      FutureTask<T> shared;
      synchronized (this) {
        if (made == null) {
          made = own;
        }
        shared = made;
      }
      if (shared == own) {
        own.run();
      }
      try {
        return Cancellation.await(shared::get);
      } catch (ExecutionException e) {
        synchronized (this) {
          made = made == shared ? null : made;
        }
        throw AwaitedFailure.of(e);
      } catch (InterruptedException e) {
        throw ScalaInterop.sneaky(e);
      }
    }
  }
}
