/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code doctor}: what works on this machine, what does not, and what to do about it.
 */
package io.sparkstencil.jobs.doctor;
