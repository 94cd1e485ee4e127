/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code apply}: a stencil over columns of a table, with its plot and its report.
 *
 * <ul>
 *   <li>To say what: {@code ApplyCommand} has {@code InputOptions}, {@code OperationOptions} with
 *       {@code FrameOptions}, and {@code TidyOptions}; they make an {@code ApplyRequest}.
 *   <li>To run: {@code ApplyJob} reads, has {@code NestedColumns} take fields out of structs and
 *       {@code Tidying} put series right, by {@code Resampling} where steps are to be equal,
 *       applies the request, and writes; {@code WrittenRows} counts.
 *   <li>To go over rasters whose tiles are rows: {@code TileOptions} make a {@code TileRequest} for
 *       a {@code TileJob}, which is a {@code TableJob} as {@code ApplyJob} is.
 *   <li>To use windows of Spark's: a {@code WindowFunction} over a {@code WindowFrame}; {@code
 *       OrderSpan} is a distance along the order, {@code OrderPositions} has the order as numbers.
 *   <li>To warn: {@code StepSample} looks at the {@code ObservedSteps} of the order.
 *   <li>To draw: {@code PlotSample} thins rows out to {@code SeriesPanels} over an {@code
 *       OrderAxis}.
 *   <li>To report: {@code RunReport}.
 * </ul>
 */
package io.sparkstencil.jobs.apply;
