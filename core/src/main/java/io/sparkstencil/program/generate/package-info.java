/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Expressions and programs that have names: derivatives, equations, image filters. */
package io.sparkstencil.program.generate;
