/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Looks at cells where they are on a device. */
package io.sparkstencil.kernels.program.watch;
