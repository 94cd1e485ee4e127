/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.program.ParameterValues;
import java.io.Serializable;

/**
 * Values of a program's parameters that are sent to tasks.
 *
 * <pre>{@code
 * GridParameters slower = (parameter, step) -> step < 1000 ? 0.2 : 0.1; // of the only parameter
 * }</pre>
 */
@FunctionalInterface
public interface GridParameters extends ParameterValues, Serializable {}
