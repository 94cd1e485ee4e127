/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The subcommand {@code draw}: a program on a grid, and a picture of what it has made. */
package io.sparkstencil.jobs.draw;
