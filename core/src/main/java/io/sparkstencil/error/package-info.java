/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Failures, by what the caller does about them, and closing what is open. Imports nothing of ours.
 */
package io.sparkstencil.error;
