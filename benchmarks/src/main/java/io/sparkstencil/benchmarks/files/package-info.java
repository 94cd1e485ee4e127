/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Measures how fast fields are read from files. */
package io.sparkstencil.benchmarks.files;
