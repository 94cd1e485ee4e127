/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Declarations of configuration options: key, type, range, default and description in one value,
 * from which reading, checking and documentation are derived. Imports only the errors.
 */
package io.sparkstencil.conf;
