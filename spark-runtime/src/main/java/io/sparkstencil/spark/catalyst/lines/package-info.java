/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What differs between the lines of Spark that one jar runs on: 4.0, 4.1 and 4.2. */
package io.sparkstencil.spark.catalyst.lines;
