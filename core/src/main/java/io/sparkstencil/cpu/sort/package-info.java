/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Sorting rows on the CPU. */
package io.sparkstencil.cpu.sort;
