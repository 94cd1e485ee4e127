/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Expressions and programs that have names: derivatives ({@link
 * io.sparkstencil.program.generate.Differences}), elementary functions ({@link
 * io.sparkstencil.program.generate.Elementary}), equations ({@link
 * io.sparkstencil.program.generate.Equations}), image filters ({@link
 * io.sparkstencil.program.generate.ImageFilters}), and summaries and slopes of rasters ({@link
 * io.sparkstencil.program.generate.Focal}, {@link io.sparkstencil.program.generate.Terrain}).
 */
package io.sparkstencil.program.generate;
