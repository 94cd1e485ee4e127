/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What all benchmarks share: options, turns, and Spark on this machine. */
package io.sparkstencil.benchmarks.harness;
