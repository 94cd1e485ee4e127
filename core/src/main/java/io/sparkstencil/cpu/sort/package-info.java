/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Sorting rows on the CPU: {@code CpuRowSort} keeps columns and makes words of keys, {@code
 * WordSort} sorts these.
 */
package io.sparkstencil.cpu.sort;
