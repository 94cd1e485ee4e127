/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import java.io.Serializable;

/**
 * A face that could not be found.
 *
 * @param block the block that should have given it
 * @param state of the cells
 */
public record MissingFace(int block, int state) implements Serializable {}
