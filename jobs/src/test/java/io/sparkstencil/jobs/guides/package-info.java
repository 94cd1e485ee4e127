/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Runs what the guides show, and compares what comes out. */
package io.sparkstencil.jobs.guides;
