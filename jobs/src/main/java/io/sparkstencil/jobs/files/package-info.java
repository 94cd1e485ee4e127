/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Tables, plots and reports as files: found, told apart, and put in their place whole or not at
 * all.
 */
package io.sparkstencil.jobs.files;
