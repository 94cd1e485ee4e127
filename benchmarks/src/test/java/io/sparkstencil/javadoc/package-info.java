/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The documentation of what users name. */
package io.sparkstencil.javadoc;
