/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Where the kernels of several steps of a program come from: from estimates or measurements. */
package io.sparkstencil.kernels.program.source;
