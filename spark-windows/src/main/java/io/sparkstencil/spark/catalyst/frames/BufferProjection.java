/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StringType$;
import org.apache.spark.sql.types.UserDefinedType;
import scala.collection.immutable.Seq;

/**
 * A projection from rows into a buffer that outlives them. Spark's projections copy what refers to
 * the memory of a row, but, where they do not generate code, not strings of other collations than
 * the default.
 */
public final class BufferProjection extends MutableProjection {
  private final MutableProjection projection;
  private final int[] copied;
  private InternalRow buffer;

  private BufferProjection(MutableProjection projection, int[] copied) {
    this.projection = projection;
    this.copied = copied;
  }

  /** Returns what computes values from columns. */
  public static MutableProjection of(List<Expression> values, Seq<Attribute> columns) {
    MutableProjection projection = MutableProjection.create(ScalaInterop.seq(values), columns);
    int[] copied =
        IntStream.range(0, values.size())
            .filter(i -> mayReferToRow(values.get(i).dataType()))
            .toArray();
    return copied.length == 0 ? projection : new BufferProjection(projection, copied);
  }

  private static boolean mayReferToRow(DataType type) {
    return type instanceof UserDefinedType<?> user
        ? mayReferToRow(user.sqlType())
        : type instanceof StringType && type != StringType$.MODULE$;
  }

  @Override
  public void initialize(int partition) {
    projection.initialize(partition);
  }

  @Override
  public MutableProjection target(InternalRow row) {
    buffer = row;
    projection.target(row);
    return this;
  }

  @Override
  public InternalRow currentValue() {
    return projection.currentValue();
  }

  @Override
  public InternalRow apply(InternalRow row) {
    projection.apply(row);
    for (int at : copied) {
      if (!buffer.isNullAt(at)) {
        buffer.update(at, buffer.getUTF8String(at).copy());
      }
    }
    return buffer;
  }
}
