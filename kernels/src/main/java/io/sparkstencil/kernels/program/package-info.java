/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Stencil programs on a GPU: cells that stay in its memory, steps one by one or several at a time,
 * and fields that are larger than its memory.
 */
package io.sparkstencil.kernels.program;
