/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What experiments are made with: memory, launches, timing, comparison with the CPU, the rates that
 * predictions are made from, and the words of an answer.
 */
package io.sparkstencil.kernels.survey.bench;
