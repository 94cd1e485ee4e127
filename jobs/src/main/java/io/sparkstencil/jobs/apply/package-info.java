/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The command {@code apply}: a stencil over columns of a table, with its plot and its report. */
package io.sparkstencil.jobs.apply;
