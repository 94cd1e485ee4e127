/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

/**
 * What a chart's measurements cannot exceed: a horizontal line.
 *
 * @param name what limits
 * @param y where, in the unit of the y axis
 */
public record Limit(String name, double y) {}
