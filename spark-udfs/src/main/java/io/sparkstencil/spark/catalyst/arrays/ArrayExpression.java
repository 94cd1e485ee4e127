/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.arrays.ArrayOperation;
import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.functions.ArrayFunction;
import io.sparkstencil.spark.functions.Parameter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ImplicitCastInputTypes;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A stencil over each array of a column. Evaluated row by row wherever Catalyst puts it; in a
 * projection, {@link ArrayProjectRule} hands it to the batched operator.
 */
public final class ArrayExpression extends Expression
    implements ImplicitCastInputTypes, CaseClass, Serializable {
  private static final long serialVersionUID = 1L;

  private final ArrayFunction function;
  private final Seq<Expression> arguments;
  private transient ArrayEvaluator evaluator;
  private transient ArrayOperation operation;

  /** Creates a call of {@code function} with the array and its parameters. */
  public ArrayExpression(ArrayFunction function, Seq<Expression> arguments) {
    this.function = function;
    this.arguments = arguments;
  }

  /** Returns the function that is all of {@code named}, or null. */
  static ArrayExpression wholeOf(NamedExpression named) {
    return named instanceof Alias alias && alias.child() instanceof ArrayExpression function
        ? function
        : null;
  }

  ArrayFunction function() {
    return function;
  }

  /** Returns the argument that is the array. */
  Expression array() {
    return arguments.apply(0);
  }

  List<Expression> parameters() {
    return ScalaInterop.list(arguments).subList(1, arguments.size());
  }

  private List<Parameter> signature() {
    List<Expression> parameters = parameters();
    DataType last = parameters.get(parameters.size() - 1).dataType();
    return function.signature(
        parameters.size(), last instanceof org.apache.spark.sql.types.StringType);
  }

  /** Returns what is computed; the arguments have been checked. */
  ArrayOperation operation() {
    if (operation == null) {
      List<Object> values = ArrayArguments.values(signature(), parameters());
      operation =
          ArrayOperation.of(elementType(), function.stencil(values), function.steps(values));
    }
    return operation;
  }

  private ElementType elementType() {
    return ArrayTypes.elementType(ArrayTypes.innermost(array().dataType()).elementType());
  }

  @Override
  public Seq<AbstractDataType> inputTypes() {
    List<AbstractDataType> types = new ArrayList<>();
    types.add(ArrayTypes.coerced(array().dataType()));
    for (Parameter parameter : signature()) {
      types.add(ArrayArguments.sparkType(parameter.kind()));
    }
    return ScalaInterop.seq(types);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    TypeCheckResult arrayCheck = ArrayArguments.checkArray(array());
    if (arrayCheck.isFailure()) {
      return arrayCheck;
    }
    TypeCheckResult types = ImplicitCastInputTypes.super.checkInputDataTypes();
    if (types.isFailure()) {
      return types;
    }
    return ArrayArguments.checkValues(signature(), parameters(), this::operation);
  }

  @Override
  public DataType dataType() {
    ArrayType innermost = ArrayTypes.innermost(array().dataType());
    ArrayOperation computed = operation();
    return ArrayTypes.withElements(
        array().dataType(),
        CellKind.of(computed.spec().type()).dataType(),
        computed.nullResults(innermost.containsNull()));
  }

  @Override
  public boolean nullable() {
    return array().nullable();
  }

  @Override
  public boolean nullIntolerant() {
    return true;
  }

  @Override
  public boolean foldable() {
    return array().foldable();
  }

  @Override
  public Seq<Expression> children() {
    return arguments;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new ArrayExpression(function, newChildren);
  }

  @Override
  public Object eval(InternalRow row) {
    Object value = array().eval(row);
    return value == null ? null : evaluator().evaluate((ArrayData) value);
  }

  private ArrayEvaluator evaluator() {
    if (evaluator == null) {
      evaluator = new ArrayEvaluator(this);
    }
    return evaluator;
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    ExprCode array = array().genCode(context);
    String own =
        context.addReferenceObj("arrayEvaluator", evaluator(), ArrayEvaluator.class.getName());
    String type = "org.apache.spark.sql.catalyst.util.ArrayData";
    String text =
        """

        boolean %s = %s;
        %s %s = %s ? null : %s.evaluate(%s);
        """
            .formatted(
                code.isNull(),
                array.isNull(),
                type,
                code.value(),
                code.isNull(),
                own,
                array.value());
    return code.copy(
        new CodeBlock(ScalaInterop.seq(List.of("", text)), ScalaInterop.seq(List.of(array.code()))),
        code.isNull(),
        code.value());
  }

  @Override
  public String toString() {
    return arguments.mkString(prettyName() + "(", ", ", ")");
  }

  @Override
  public String prettyName() {
    return function.sqlName();
  }

  @Override
  public List<Object> elements() {
    return List.of(function, arguments);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArrayExpression that && elements().equals(that.elements());
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }
}
