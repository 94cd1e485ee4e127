/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.conf.StencilConf;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * A projection with array functions, computed for many rows at once. Takes rows; in front of a
 * columnar source it reads the arrays out of the columns.
 */
public final class ArrayProjectExec extends SparkPlan implements UnaryExecNode {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> projectList;
  private final SparkPlan child;
  private transient volatile ArrayProjectMetrics metrics;

  /** Creates the operator; each of our functions in {@code projectList} is all of its column. */
  public ArrayProjectExec(Seq<NamedExpression> projectList, SparkPlan child) {
    this.projectList = projectList;
    this.child = child;
  }

  /** Returns the projection that this operator stands for. */
  private ProjectExec asProject() {
    return new ProjectExec(projectList, child);
  }

  @Override
  public SparkPlan child() {
    return child;
  }

  @Override
  public Seq<SparkPlan> children() {
    return ScalaLists.seq(List.of(child));
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new ArrayProjectExec(projectList, newChild);
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return new ArrayProjectExec(projectList, newChildren.apply(0));
  }

  @Override
  public Seq<Attribute> output() {
    List<Attribute> output = new ArrayList<>();
    for (NamedExpression named : ScalaLists.list(projectList)) {
      output.add(named.toAttribute());
    }
    return ScalaLists.seq(output);
  }

  @Override
  public Partitioning outputPartitioning() {
    return asProject().outputPartitioning();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return asProject().outputOrdering();
  }

  private ArrayProjectMetrics ownMetrics() {
    ArrayProjectMetrics known = metrics;
    if (known == null) {
      synchronized (this) {
        if (metrics == null) {
          metrics = ArrayProjectMetrics.create(sparkContext());
        }
        known = metrics;
      }
    }
    return known;
  }

  @Override
  public scala.collection.immutable.Map<String, SQLMetric> metrics() {
    return ScalaLists.map(ownMetrics().byName());
  }

  @Override
  public RDD<InternalRow> doExecute() {
    List<Attribute> attributes = ScalaLists.list(child.output());
    ArrayProjectPlan plan = new ArrayProjectPlan(ScalaLists.list(projectList));
    ArrayProjectTask task =
        new ArrayProjectTask(
            plan.plan(),
            plan.sources(attributes),
            ScalaLists.seq(plan.computed(attributes)),
            ScalaLists.seq(plan.others()),
            plan.onlyArrays(),
            List.copyOf(plan.columns()),
            ScalaLists.seq(attributes),
            StencilConf.of(CollectionConverters.asJava(conf().getAllConfs())),
            ownMetrics());
    return child
        .execute()
        .mapPartitionsWithEvaluator(
            new ArrayProjectFactory(task), ClassTag$.MODULE$.apply(InternalRow.class));
  }

  @Override
  public String verboseStringWithOperatorId() {
    return UnaryExecNode.super.verboseStringWithOperatorId();
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int index) {
    return index == 0 ? projectList : child;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof ArrayProjectExec;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArrayProjectExec that
        && projectList.equals(that.projectList)
        && child.equals(that.child);
  }

  @Override
  public int hashCode() {
    return 31 * projectList.hashCode() + child.hashCode();
  }
}
