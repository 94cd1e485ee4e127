/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The page of performance and the figures of the README, made from the files of results. */
package io.sparkstencil.benchmarks.page;
