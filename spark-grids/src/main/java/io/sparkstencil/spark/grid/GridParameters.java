/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.program.ParameterValues;
import java.io.Serializable;

/** Values of a program's parameters that are sent to tasks. */
@FunctionalInterface
public interface GridParameters extends ParameterValues, Serializable {}
