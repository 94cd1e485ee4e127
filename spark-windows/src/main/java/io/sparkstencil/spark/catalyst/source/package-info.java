/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How the rows of windows are brought together, by what tasks are to have of a series, and what
 * tasks do then.
 *
 * <ul>
 *   <li>For few rows: {@code InputSize} tells them. For all: {@code MapInput} is what map tasks
 *       read, {@code MixedWindows} are those some of which are loops.
 *   <li>For every task: a {@code WindowTask} collects rows, puts them in order and counts.
 *   <li>For whole series: {@code GroupedInput} where Spark has brought them together, {@code
 *       SeriesShuffle} where we do. A {@code SeriesComputation} is what tasks have computed then,
 *       of {@code StagedStencils} or of {@code SeriesWindows}.
 *   <li>For one series in ranges, a {@code SpreadSeries}: a {@code OneSeriesInput} each, over a
 *       {@code RangeStage}, which is the map stage of all. {@code StencilInput} has stencils run by
 *       {@code RangeShuffle}, or by {@code RangedInput} where rows stay; {@code RunningInput} and
 *       {@code BoundedInput} have other windows run over {@code OrderedParts}: by {@code
 *       RangeLoops} over columns, else over rows. A {@code RunningChain} is what one task has to go
 *       through before. {@code SharedRanges} lets operators share a stage, also those of a {@code
 *       NarrowPlan}, which reads some of the columns.
 *   <li>For an order that is declared or found, by its {@code FirstOrder}: {@code OrderedInput},
 *       {@code OrderProbe}, {@code CachedEnds}.
 *   <li>For few series with most of the rows: {@code SkewedSeries} has a {@code SeriesSampler}
 *       count them ({@code KeySample}), makes {@code CutSeries} by {@code SeriesCuts} and routes
 *       their rows by a {@code CutRouter}; {@code StripRows} counts what parts got, a {@code
 *       RowSpan} says which rows of a task are its own.
 *   <li>For arrays of an RDD: {@code BlockStencils}.
 *   <li>To count: {@code StencilMetric}, {@code EngineCounts} and {@code OperatorMetrics}; {@code
 *       StencilRun} tells listeners.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.source;
