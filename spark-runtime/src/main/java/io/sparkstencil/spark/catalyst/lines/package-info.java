/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What differs between the lines of Spark that one jar runs on: 4.0, 4.1 and 4.2.
 *
 * <ul>
 *   <li>{@code SparkLine} has the parts that differ, {@code SparkPages} those of web pages; {@code
 *       SparkMembers} finds which form is there.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.lines;
