/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.util.Arrays;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.MathUtils$;

/** A function of integers, or of what Spark keeps as such. */
abstract class LongFunction extends FrameFunction {
  private final KeyType type;
  private long[] values = new long[0];

  /**
   * Creates the function.
   *
   * @param type how values are read
   */
  LongFunction(KeyType type) {
    this(type, null);
  }

  /**
   * Creates the function.
   *
   * @param queue what may become the extreme; null if it finds none
   */
  LongFunction(KeyType type, PositionQueue queue) {
    super(queue);
    this.type = type;
  }

  final long[] values() {
    return values;
  }

  @Override
  void resize(int length) {
    super.resize(length);
    values = Arrays.copyOf(values, length);
  }

  @Override
  void moveToFront(int from, int length) {
    super.moveToFront(from, length);
    System.arraycopy(values, from, values, 0, length);
  }

  @Override
  void put(int at, UnsafeRow cells, int column) {
    values[at] = type.read(cells, column);
  }

  @Override
  final void putNull(int at) {
    values[at] = 0;
  }

  /** The sum, which wraps: what leaves the frame is subtracted. */
  static final class WrappingSum extends LongFunction {
    private long sum;

    WrappingSum() {
      super(KeyType.LONG);
    }

    @Override
    void put(int at, UnsafeRow cells, int column) {
      super.put(at, cells, column);
      sum += values()[at];
    }

    @Override
    void take(int at) {
      sum -= values()[at];
    }

    @Override
    void clear() {
      super.clear();
      sum = 0;
    }

    @Override
    void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
      target.setLong(ordinal, sum);
    }
  }

  /** The sum, which must not overflow after any of the cells. */
  static final class CheckedSum extends LongFunction {
    private final QueryContext context; // of errors

    CheckedSum(QueryContext context) {
      super(KeyType.LONG);
      this.context = context;
    }

    @Override
    void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
      long[] cells = values();
      long sum = 0;
      for (int i = first; i < end; i++) {
        long next = sum + cells[i];
        if (((sum ^ next) & (cells[i] ^ next)) < 0) {
          MathUtils$.MODULE$.addExact(sum, cells[i], context); // fails
        }
        sum = next;
      }
      target.setLong(ordinal, sum);
    }
  }

  /** The least or greatest integer. */
  static final class Extreme extends LongFunction {
    private final KeyType type;
    private final boolean least;

    Extreme(KeyType type, boolean least) {
      super(type, new PositionQueue());
      this.type = type;
      this.least = least;
    }

    @Override
    boolean surpasses(int one, int other) {
      return least ? values()[one] < values()[other] : values()[one] > values()[other];
    }

    @Override
    void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
      long extreme = values()[extreme()];
      switch (type) {
        case BYTE -> target.setByte(ordinal, (byte) extreme);
        case SHORT -> target.setShort(ordinal, (short) extreme);
        case INT -> target.setInt(ordinal, (int) extreme);
        default -> target.setLong(ordinal, extreme);
      }
    }
  }
}
