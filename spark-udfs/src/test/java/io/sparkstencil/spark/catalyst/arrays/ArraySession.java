/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;

/** The session of a test class of this package, and queries in it. */
final class ArraySession {
  /** The ways in which a function can be evaluated. */
  enum Mode {
    BATCHED,
    GENERATED,
    INTERPRETED
  }

  private ArraySession() {}

  static SparkSession get() {
    return SparkSession.active();
  }

  /** Runs a query in a mode. */
  static List<Row> collect(Mode mode, String query) {
    SparkSession spark = get();
    spark.conf().set("spark.sql.optimizer.excludedRules", NO_FOLDING);
    spark.conf().set(StencilOptions.ARRAYS_BATCHED.key(), mode == Mode.BATCHED);
    spark.conf().set("spark.sql.codegen.wholeStage", mode != Mode.INTERPRETED);
    spark
        .conf()
        .set(
            "spark.sql.codegen.factoryMode",
            mode == Mode.INTERPRETED ? "NO_CODEGEN" : "CODEGEN_ONLY");
    try {
      return spark.sql(query).collectAsList();
    } finally {
      spark.conf().unset("spark.sql.optimizer.excludedRules");
      spark.conf().unset(StencilOptions.ARRAYS_BATCHED.key());
      spark.conf().unset("spark.sql.codegen.wholeStage");
      spark.conf().unset("spark.sql.codegen.factoryMode");
    }
  }

  /** Local relations would be computed while planning, by the expression. */
  private static final String NO_FOLDING =
      "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation,"
          + "org.apache.spark.sql.catalyst.optimizer.ConstantFolding";

  /** Returns the batched operators in the plan of {@code dataset}, stages of AQE included. */
  static List<ArrayProjectExec> operators(Dataset<Row> dataset) {
    dataset.collectAsList();
    List<ArrayProjectExec> found = new ArrayList<>();
    SparkPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) dataset).queryExecution().executedPlan();
    collect(plan, found);
    return found;
  }

  private static void collect(SparkPlan plan, List<ArrayProjectExec> found) {
    if (plan instanceof ArrayProjectExec operator) {
      found.add(operator);
    }
    if (plan instanceof org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec adaptive) {
      collect(adaptive.executedPlan(), found);
    }
    if (plan instanceof org.apache.spark.sql.execution.adaptive.QueryStageExec stage) {
      collect(stage.plan(), found);
    }
    ScalaInterop.list(plan.children()).forEach(child -> collect(child, found));
  }
}
