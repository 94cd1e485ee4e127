/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Expressions and programs that have names: derivatives ({@link
 * io.sparkstencil.program.generate.Differences}), equations ({@link
 * io.sparkstencil.program.generate.Equations}), image filters ({@link
 * io.sparkstencil.program.generate.ImageFilters}).
 */
package io.sparkstencil.program.generate;
