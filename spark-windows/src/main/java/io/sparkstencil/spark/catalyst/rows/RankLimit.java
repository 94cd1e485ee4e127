/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.io.Serializable;
import java.util.function.IntPredicate;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.RowNumber;

/**
 * Which rows of each series are wanted: those whose rank is at most a number.
 *
 * @param kind how ranks are counted
 * @param most the greatest rank that is wanted, 1 or more
 */
public record RankLimit(Kind kind, int most) implements Serializable {
  /** How ranks are counted where rows tie. */
  public enum Kind {
    /** Each row counts, also one that ties. */
    ROW_NUMBER,
    /** Rows that tie have the rank of the first of them. */
    RANK,
    /** Rows that tie have one rank, and the next row has the next. */
    DENSE_RANK
  }

  /** Returns the limit of a function's results, or null if it is not one of the three. */
  public static RankLimit of(Expression function, int most) {
    if (function instanceof RowNumber) {
      return new RankLimit(Kind.ROW_NUMBER, most);
    } else if (function instanceof Rank) {
      return new RankLimit(Kind.RANK, most);
    }
    return function instanceof DenseRank ? new RankLimit(Kind.DENSE_RANK, most) : null;
  }

  /** Tells whether a row is wanted that ties with the last that is, and comes after it. */
  boolean wantsTies() {
    return kind != Kind.ROW_NUMBER;
  }

  /**
   * Returns how many rows are wanted, the first ones of a series.
   *
   * @param rows how many there are, in order
   * @param differs tells whether a row, from 1 on, does not tie with the one before it
   */
  int wanted(int rows, IntPredicate differs) {
    if (kind == Kind.ROW_NUMBER) {
      return Math.min(rows, most);
    }
    int groups = 1;
    for (int i = 1; i < rows; i++) {
      boolean full = kind == Kind.RANK ? i >= most : groups == most;
      if ((full || kind == Kind.DENSE_RANK) && differs.test(i)) {
        if (full) {
          return i;
        }
        groups++;
      }
    }
    return rows;
  }
}
