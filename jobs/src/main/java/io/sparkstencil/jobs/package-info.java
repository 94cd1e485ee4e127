/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The {@code stencil} command: arguments in, tables, plots and reports out. Each subcommand has a
 * package of its own.
 */
package io.sparkstencil.jobs;
