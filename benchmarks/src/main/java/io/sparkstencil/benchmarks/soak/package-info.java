/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Many small jobs with injected faults: what stays open and how memory grows. */
package io.sparkstencil.benchmarks.soak;
