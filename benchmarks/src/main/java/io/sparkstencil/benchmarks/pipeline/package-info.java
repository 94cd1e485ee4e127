/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Arrays of an RDD through the engines, from Java's heap to Java's heap. */
package io.sparkstencil.benchmarks.pipeline;
