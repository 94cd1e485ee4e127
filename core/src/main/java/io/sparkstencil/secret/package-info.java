/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Files that only their owner may read, and bytes that only this process can. Imports nothing. */
package io.sparkstencil.secret;
