/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import java.io.Serializable;

/**
 * The new value of a field.
 *
 * @param field the index of the field
 * @param node the index of the node that computes it
 */
public record Update(int field, int node) implements Serializable {}
