/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Windows over the rows of tables, their time and memory, against Spark's own operator. */
package io.sparkstencil.benchmarks.windows;
