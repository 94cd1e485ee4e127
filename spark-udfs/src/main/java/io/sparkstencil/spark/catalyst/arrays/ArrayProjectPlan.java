/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.arrays.ArrayPlan;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;

/** What a projection asks of the batched operator, taken apart. */
final class ArrayProjectPlan {
  private final List<Expression> inputs = new ArrayList<>();
  private final List<ArrayDataReader> readers = new ArrayList<>();
  private final List<Expression> others = new ArrayList<>();
  private final List<ArrayRowWriter.Column> columns = new ArrayList<>();
  private final ArrayPlan plan;
  private boolean onlyArrays = true;

  ArrayProjectPlan(List<NamedExpression> projectList) {
    List<ArrayPlan.Input> planInputs = new ArrayList<>();
    List<ArrayPlan.Call> calls = new ArrayList<>();
    for (int ordinal = 0; ordinal < projectList.size(); ordinal++) {
      NamedExpression named = projectList.get(ordinal);
      ArrayExpression function = functionOf(named);
      if (function == null) {
        others.add((Expression) named);
        onlyArrays = false;
        continue;
      }
      others.add(new Literal(null, function.dataType()));
      int input = inputOf(function.array(), planInputs);
      columns.add(
          new ArrayRowWriter.Column(
              ordinal,
              calls.size(),
              readers.get(input).depth(),
              function.operation().spec().type().bytes()));
      calls.add(new ArrayPlan.Call(input, function.operation()));
    }
    this.plan = ArrayPlan.of(planInputs, calls);
  }

  /** Returns the function that is all of {@code named}, or null. */
  static ArrayExpression functionOf(NamedExpression named) {
    return named instanceof Alias alias && alias.child() instanceof ArrayExpression function
        ? function
        : null;
  }

  private int inputOf(Expression array, List<ArrayPlan.Input> planInputs) {
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).semanticEquals(array)) {
        return i;
      }
    }
    DataType type = array.dataType();
    ArrayType innermost = ArrayTypes.innermost(type);
    ArrayPlan.Input input =
        new ArrayPlan.Input(
            ArrayTypes.elementType(innermost.elementType()), innermost.containsNull());
    readers.add(
        new ArrayDataReader(
            inputs.size(), ArrayTypes.depth(type), input.type(), input.nullElements()));
    inputs.add(array);
    planInputs.add(input);
    return inputs.size() - 1;
  }

  ArrayPlan plan() {
    return plan;
  }

  /** Returns the projection with nulls in place of our functions. */
  List<Expression> others() {
    return others;
  }

  /** Tells whether the projection has nothing but our functions. */
  boolean onlyArrays() {
    return onlyArrays;
  }

  List<ArrayRowWriter.Column> columns() {
    return columns;
  }

  /** Returns where each input is in rows of {@code attributes}. */
  List<ArrayProjectTask.Source> sources(List<Attribute> attributes) {
    List<ArrayProjectTask.Source> sources = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      sources.add(new ArrayProjectTask.Source(readers.get(i), ordinal(inputs.get(i), attributes)));
    }
    return List.copyOf(sources);
  }

  /** Returns the inputs that are not among {@code attributes}. */
  List<Expression> computed(List<Attribute> attributes) {
    return inputs.stream().filter(input -> ordinal(input, attributes) < 0).toList();
  }

  private static int ordinal(Expression input, List<Attribute> attributes) {
    for (int i = 0; i < attributes.size(); i++) {
      if (input instanceof Attribute attribute
          && attribute.exprId().equals(attributes.get(i).exprId())) {
        return i;
      }
    }
    return -1;
  }
}
