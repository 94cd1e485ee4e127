/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** {@code stencil bench}: Spark's windows with and without this library, on the user's Spark. */
package io.sparkstencil.jobs.bench;
