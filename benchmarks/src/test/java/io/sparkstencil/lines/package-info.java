/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Whether the classes that are compiled against one line of Spark link with the jars of another.
 */
package io.sparkstencil.lines;
