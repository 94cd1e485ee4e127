/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

/**
 * A kernel with an estimate of its time.
 *
 * @param turns turns of a scheduler of a multiprocessor for a step of 32 cells of an array
 */
public record CountedKernel(FusedKernel kernel, double turns) {}
