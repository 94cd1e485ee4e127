/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.functions.Parameter;
import io.sparkstencil.spark.functions.SqlFunction;
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
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import scala.collection.immutable.Seq;

/** A call of a function whose first argument is an array and whose others are constants. */
public abstract class ArrayCall extends Expression
    implements ImplicitCastInputTypes, CaseClass, Serializable {
  private static final long serialVersionUID = 1L;

  /** Computes the result for one array at a time. Generated code calls it. */
  public interface Evaluator extends Serializable {
    /**
     * Returns the result for a value of the first argument that is not null; the caller owns it.
     */
    Object evaluate(Object value);
  }

  private final SqlFunction function;
  private final Seq<Expression> arguments;
  private transient Evaluator evaluator;
  private transient Boolean soonDone; // null until it is asked for

  ArrayCall(SqlFunction function, Seq<Expression> arguments) {
    this.function = function;
    this.arguments = arguments;
  }

  /** Returns the call that is all of {@code named}, or null. */
  static ArrayCall wholeOf(NamedExpression named) {
    return named instanceof Alias alias && alias.child() instanceof ArrayCall call ? call : null;
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
    boolean text =
        !parameters.isEmpty()
            && parameters.get(parameters.size() - 1).dataType() instanceof StringType;
    return function.signature(parameters.size(), text);
  }

  /** Returns the values of the parameters, which have been checked. */
  List<Object> values() {
    return ArrayArguments.values(signature(), parameters());
  }

  /** Returns the type that the array is cast to. */
  abstract DataType arrayType();

  /** Returns whether the first argument is an array that the function takes. */
  abstract TypeCheckResult checkArray();

  /**
   * Checks the values of the parameters, whose types are right.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if a value is out of range
   */
  abstract void checkParameters();

  abstract Evaluator newEvaluator();

  /** Returns how many steps are computed; the arguments have been checked. */
  abstract double steps();

  /** Returns how many operations a cell takes in a step, at least 1. */
  abstract double operations();

  @Override
  public Seq<AbstractDataType> inputTypes() {
    List<AbstractDataType> types = new ArrayList<>();
    types.add(arrayType());
    for (Parameter parameter : signature()) {
      types.add(ArrayArguments.sparkType(parameter.kind()));
    }
    return ScalaInterop.seq(types);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    TypeCheckResult arrayCheck = checkArray();
    if (arrayCheck.isFailure()) {
      return arrayCheck;
    }
    TypeCheckResult types = ImplicitCastInputTypes.super.checkInputDataTypes();
    if (types.isFailure()) {
      return types;
    }
    return ArrayArguments.checkValues(signature(), parameters(), this::checkParameters);
  }

  @Override
  public boolean nullable() {
    return array().nullable();
  }

  @Override
  public boolean nullIntolerant() {
    return true;
  }

  /** Not if it takes long: Spark evaluates constants while it plans, where nothing stops that. */
  @Override
  public boolean foldable() {
    if (!array().foldable() || !resolved()) {
      return array().foldable();
    }
    if (soonDone == null) {
      soonDone = DriverWork.isSoonDone(array(), steps(), operations());
    }
    return soonDone;
  }

  @Override
  public Seq<Expression> children() {
    return arguments;
  }

  @Override
  public Object eval(InternalRow row) {
    Object value = array().eval(row);
    return value == null ? null : evaluator().evaluate(value);
  }

  private Evaluator evaluator() {
    if (evaluator == null) {
      evaluator = new DriverWork(newEvaluator(), array().dataType(), steps(), operations());
    }
    return evaluator;
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    ExprCode array = array().genCode(context);
    String own =
        context.addReferenceObj("arrayEvaluator", evaluator(), Evaluator.class.getCanonicalName());
    String type = CodeGenerator.javaType(dataType());
    String text =
        """

        %s %s = %s ? null : (%s) %s.evaluate(%s);
        boolean %s = %s == null;
        """
            .formatted(
                type,
                code.value(),
                array.isNull(),
                type,
                own,
                array.value(),
                code.isNull(),
                code.value());
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
    return other instanceof ArrayCall that
        && getClass() == that.getClass()
        && elements().equals(that.elements());
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }
}
