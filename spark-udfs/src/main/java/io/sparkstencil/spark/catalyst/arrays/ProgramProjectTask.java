/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** What every task of the operator for programs does: a projection, taken apart. */
final class ProgramProjectTask implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What waiting rows may take beside their arrays. */
  private static final long MOST_BYTES = 16L << 20;

  /**
   * A program in the projection.
   *
   * @param ordinal of its column
   * @param input index of its array among the inputs
   * @param operation what is computed
   * @param shape what it reads and makes
   */
  private record ProgramCall(int ordinal, int input, ProgramOperation operation, ProgramShape shape)
      implements Serializable {}

  private final List<ProgramCall> calls = new ArrayList<>();
  private final List<Expression> inputs = new ArrayList<>();
  private final Seq<Expression> others; // the projection with nulls in place of our programs
  private final Seq<Attribute> attributes; // the rows that come in
  private final StencilConf conf;
  private final ArrayProjectMetrics metrics;

  /**
   * Takes a projection apart.
   *
   * @param projectList each of our programs in it is all of its column
   * @param attributes the rows that come in
   * @param conf options as the query sees them
   * @param metrics what is counted
   */
  ProgramProjectTask(
      Seq<NamedExpression> projectList,
      Seq<Attribute> attributes,
      StencilConf conf,
      ArrayProjectMetrics metrics) {
    this.attributes = attributes;
    this.conf = conf;
    this.metrics = metrics;
    List<Expression> rest = new ArrayList<>();
    for (NamedExpression named : ScalaInterop.list(projectList)) {
      if (!(ArrayCall.wholeOf(named) instanceof ProgramExpression program)) {
        rest.add((Expression) named);
        continue;
      }
      calls.add(
          new ProgramCall(
              rest.size(), inputOf(program.array()), program.operation(), program.shape()));
      rest.add(new Literal(null, program.dataType()));
    }
    this.others = ScalaInterop.seq(rest);
  }

  private int inputOf(Expression array) {
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).semanticEquals(array)) {
        return i;
      }
    }
    inputs.add(array);
    return inputs.size() - 1;
  }

  /** Returns the rows of the projection, lazily and in order. */
  Iterator<InternalRow> run(int partition, Iterator<InternalRow> rows) {
    Results results = new Results(partition, rows);
    ScalaInterop.onCompletion(TaskContext.get(), results.programs::count);
    return results;
  }

  /**
   * A row that waits for its results.
   *
   * @param others its other columns
   * @param arrays what each program computes of it
   */
  private record Waiting(UnsafeRow others, List<ProgramArray> arrays) {}

  /** The rows with their results, batch by batch. */
  private final class Results extends AbstractIterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final UnsafeProjection otherColumns; // null if there are none
    private final UnsafeProjection inputColumns;
    private final UnsafeRow nulls = ArrayRowWriter.nulls(others.size());
    private final TaskPrograms programs = new TaskPrograms(conf, metrics);
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final ProgramRowWriter writer = new ProgramRowWriter(others.size());

    Results(int partition, Iterator<InternalRow> rows) {
      this.rows = rows;
      otherColumns = calls.size() == others.size() ? null : projection(others, partition);
      inputColumns = projection(ScalaInterop.seq(inputs), partition);
      for (ProgramCall call : calls) {
        programs.add(call.operation(), call.shape().type());
      }
    }

    private UnsafeProjection projection(Seq<Expression> wanted, int partition) {
      UnsafeProjection made = UnsafeProjection.create(wanted, attributes);
      made.initialize(partition);
      return made;
    }

    @Override
    public boolean hasNext() {
      return !waiting.isEmpty() || rows.hasNext();
    }

    @Override
    public InternalRow next() {
      if (waiting.isEmpty()) {
        fill();
      }
      Waiting row = waiting.remove();
      metrics.rows().add(1);
      writer.begin(row.others());
      for (int i = 0; i < calls.size(); i++) {
        row.arrays().get(i).write(writer, calls.get(i).ordinal());
      }
      return writer.row();
    }

    private void fill() {
      if (!rows.hasNext()) {
        throw new NoSuchElementException();
      }
      programs.clear();
      long bytes = 0;
      while (rows.hasNext() && bytes < MOST_BYTES && !programs.isFull()) {
        Waiting row = read(rows.next());
        bytes += otherColumns == null ? 0 : row.others().getSizeInBytes();
        waiting.add(row);
      }
      programs.run();
    }

    private Waiting read(InternalRow row) {
      UnsafeRow arrays = inputColumns.apply(row);
      List<ProgramArray> entries = new ArrayList<>(calls.size());
      for (int i = 0; i < calls.size(); i++) {
        ProgramCall call = calls.get(i);
        entries.add(
            ProgramArray.read(call.shape(), arrays, call.input(), programs.batches().get(i)));
        programs.addCells(entries.get(i).cells());
      }
      return new Waiting(otherColumns == null ? nulls : otherColumns.apply(row).copy(), entries);
    }
  }
}
