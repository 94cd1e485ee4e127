/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Curves over numbers or times and fields as colours, drawn as PNGs, and moving as GIFs.
 *
 * <ul>
 *   <li>Curves: {@code SeriesChart}, with a {@code TimeScale} where the axis is time.
 *   <li>Fields: {@code FieldChart} of {@code FieldMap}s, in the colours of a {@code ColorMap} over
 *       a {@code ValueRange}.
 *   <li>Bars: {@code BarChart}.
 *   <li>To move: {@code GifAnimation}; to stand in a page: {@code VectorPicture}.
 *   <li>To be able to draw: {@code Fonts}.
 * </ul>
 */
package io.sparkstencil.jobs.chart;
