/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The plan of windows: which SQL windows are taken over, as what, and the operators that compute
 * them.
 *
 * <ul>
 *   <li>To take windows over: {@link WindowExtensions} registers {@code WindowStrategy}, for which
 *       {@code WindowTakeover} divides the windows of a node; what stays with Spark is told by
 *       {@code NotOffloaded}.
 *   <li>To decide: {@code WindowRules} are the rules of all windows; {@code FilteredArguments} are
 *       those of aggregates with a filter.
 *   <li>To compute windows: {@code StencilExec}, of stencils or of others; its {@code WindowPlace}
 *       says what of a series its tasks have, {@code WindowRun} runs them, {@code WindowText} says
 *       what plans show. Of stencils, {@code SeriesStencils} knows what is staged, each a {@code
 *       StencilExpression}; {@code DatasetPlans} makes a {@code StencilNode}, which is logical,
 *       without SQL.
 *   <li>To know series: a {@code SeriesOrder}, and a {@code SeriesWay} where they are given by
 *       keys; {@code KeyColumns} are columns made of keys that are none.
 *   <li>To keep columns: {@code SeriesColumnsRule} finds the {@code ColumnSource} below an operator
 *       and puts {@code ColumnFilterExec} and {@code ColumnProjectExec} between, a {@code
 *       ColumnOperator} each; {@code ColumnsToRowsExec} ends them.
 *   <li>To save work: {@code KnownOrder} and {@code SeriesShuffleRule} against needless sorts and
 *       shuffles, {@code RankLimits} with {@code SeriesLimitExec} against rows that nobody wants,
 *       {@code NeedlessProjects} against projections.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.plan;
