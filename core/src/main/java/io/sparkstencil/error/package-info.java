/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Exceptions, by how the caller responds, the closing of resources, and whether work is still
 * wanted. Imports nothing of ours.
 */
package io.sparkstencil.error;
