/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Weighted sums of doubles over the boxes of a plane, on tensor cores. {@link
 * io.sparkstencil.kernels.codegen.program.boxes.BoxStreams} says where they pay.
 */
package io.sparkstencil.kernels.codegen.program.boxes;
