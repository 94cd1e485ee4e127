/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The command {@code tune}: the fastest kernels on this machine's GPU, by measurement. */
package io.sparkstencil.jobs.tune;
