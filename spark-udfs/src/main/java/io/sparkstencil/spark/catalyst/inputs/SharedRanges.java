/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec;
import scala.collection.immutable.Seq;

/**
 * A shuffle by ranges that all operators of one run of a query have in common that want the same
 * rows in the same order. Spark shares its exchanges by comparing plans; this shuffle is part of an
 * operator, so operators look for one that was made before.
 *
 * <p>Operators hold what they share. With the last of them it goes, and with it the shuffle's
 * files.
 */
public final class SharedRanges {
  private static final Set<SharedRanges> ALL = Collections.newSetFromMap(new WeakHashMap<>());

  private final String execution;
  private final SparkPlan sorted; // says which rows and which order; never run
  private FutureTask<RangeStage.Ranges> made; // or being made

  private SharedRanges(String execution, SparkPlan rows, Seq<SortOrder> order) {
    this.execution = execution;
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
   * @param execution the run of the query, or null if it has no number: then nothing is shared
   * @param rows the plan of the rows
   * @param order the order of the ranges
   */
  public static SharedRanges of(String execution, SparkPlan rows, Seq<SortOrder> order) {
    SharedRanges wanted = new SharedRanges(execution, rows, order);
    if (execution == null) {
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

  private boolean isFor(SharedRanges other) {
    return execution.equals(other.execution) && sorted.sameResult(other.sorted);
  }

  /**
   * Returns the shuffle, which the first caller makes while the others wait; null if it does. Those
   * who wait can be interrupted, and fail as the first does; who asks later tries again.
   */
  RangeStage.Ranges ranges(Supplier<RangeStage.Ranges> maker) {
    FutureTask<RangeStage.Ranges> own = new FutureTask<>(maker::get);
    FutureTask<RangeStage.Ranges> shared;
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
      return shared.get();
    } catch (ExecutionException e) {
      synchronized (this) {
        made = made == shared ? null : made;
      }
      throw ScalaInterop.sneaky(e.getCause());
    } catch (InterruptedException e) {
      throw ScalaInterop.sneaky(e);
    }
  }
}
