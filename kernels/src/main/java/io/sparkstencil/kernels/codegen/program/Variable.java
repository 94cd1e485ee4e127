/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

/**
 * The cells of a field before or after a step.
 *
 * @param field the index of the field
 * @param updated whether the cells after the step are meant
 */
public record Variable(int field, boolean updated) {}
