/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code solve}: an equation on a grid over executors, from first cells to pictures.
 */
package io.sparkstencil.jobs.solve;
