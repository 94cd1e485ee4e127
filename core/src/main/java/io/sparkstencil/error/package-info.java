/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Exceptions, by how the caller responds, and the closing of resources. Imports nothing of ours.
 */
package io.sparkstencil.error;
