/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What all benchmarks share: options, Spark on this machine, and charts. */
package io.sparkstencil.benchmarks.harness;
