/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The CPU engine on one thread, by JMH, against a copy of the same cells. */
package io.sparkstencil.benchmarks.cpu;
