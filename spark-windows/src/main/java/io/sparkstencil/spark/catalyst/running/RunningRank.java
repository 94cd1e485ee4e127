/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NTile;
import org.apache.spark.sql.catalyst.expressions.PercentRank;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.RankLike;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.SizeBasedWindowFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.types.DataTypes;

/** Ranks. No key has rows in two parts, so that a part's first row always begins a new rank. */
final class RunningRank {
  private RunningRank() {}

  /** Returns the function, or null if it is not a rank. */
  static RunningFunction of(Expression function, FrameExtent extent) {
    if (function instanceof RowNumber || function instanceof CumeDist) {
      return new Counted(copy(function), extent, before -> new Object[] {(int) before.rows()});
    } else if (function instanceof Rank || function instanceof PercentRank) {
      return new Counted(copy(function), extent, before -> rank(function, before));
    } else if (function instanceof NTile tiles) {
      int buckets = (int) tiles.buckets().eval(null);
      return new Counted(copy(function), extent, before -> tile(buckets, before));
    }
    return function instanceof DenseRank ? new Dense(copy(function), extent) : null;
  }

  /** Returns the function with columns of its buffer that no other function has. */
  static DeclarativeAggregate copy(Expression function) {
    return (DeclarativeAggregate) function.clone();
  }

  /** The rank, 0 for none; the number of the next row; the key of the last row. */
  private static Object[] rank(Expression function, RunningFunction.Before before) {
    Object[] values = new Object[2 + function.children().size()];
    values[0] = 0;
    values[1] = (int) (before.rows() + 1);
    return values;
  }

  /**
   * The number of rows, the bucket of the last of them and the last row of that bucket; the size of
   * a bucket and how many have one row more.
   */
  private static Object[] tile(int buckets, RunningFunction.Before before) {
    int size = (int) (before.total() / buckets);
    int padded = (int) (before.total() % buckets);
    long rows = before.rows();
    long wide = (long) padded * (size + 1);
    long bucket =
        ceilDiv(Math.min(rows, wide), size + 1L) + ceilDiv(Math.max(0, rows - wide), size);
    long last = bucket * size + Math.min(bucket, padded);
    return new Object[] {(int) rows, (int) bucket, (int) last, size, padded};
  }

  private static long ceilDiv(long rows, long size) {
    return rows == 0 ? 0 : (rows - 1) / size + 1;
  }

  /** A rank that depends on the number of rows before a part. */
  private static final class Counted extends RunningFunction {
    private final Function<Before, Object[]> start;

    Counted(DeclarativeAggregate function, FrameExtent extent, Function<Before, Object[]> start) {
      super(function, extent);
      this.start = start;
    }

    @Override
    PartialBuffers partial() {
      return PartialBuffers.NONE;
    }

    @Override
    boolean isOrdered() {
      return false;
    }

    @Override
    boolean dependsOnTies() {
      return !(function() instanceof RankLike) && super.dependsOnTies();
    }

    @Override
    boolean needsTotal() {
      return function() instanceof SizeBasedWindowFunction;
    }

    @Override
    Object[] start(Before before) {
      return start.apply(before);
    }
  }

  /** The dense rank, which depends on the number of keys before a part. */
  private static final class Dense extends RunningFunction {
    private final PartialBuffers partial;

    Dense(DeclarativeAggregate function, FrameExtent extent) {
      super(function, extent);
      this.partial = partial(copy(function));
    }

    private static PartialBuffers partial(DeclarativeAggregate rank) {
      List<Attribute> columns = List.copyOf(ScalaInterop.list(rank.aggBufferAttributes()));
      List<Attribute> others = List.copyOf(ScalaInterop.list(rank.inputAggBufferAttributes()));
      Expression none = new EqualTo(others.get(0), new Literal(0, DataTypes.IntegerType));
      List<Expression> merge = new ArrayList<>();
      merge.add(new Add(columns.get(0), others.get(0)));
      for (int i = 1; i < columns.size(); i++) {
        merge.add(new If(none, columns.get(i), others.get(i)));
      }
      return new PartialBuffers(
          columns,
          List.copyOf(ScalaInterop.list(rank.initialValues())),
          List.copyOf(ScalaInterop.list(rank.updateExpressions())),
          others,
          merge);
    }

    @Override
    PartialBuffers partial() {
      return partial;
    }

    @Override
    boolean isOrdered() {
      return true;
    }

    @Override
    boolean dependsOnTies() {
      return false;
    }
  }
}
