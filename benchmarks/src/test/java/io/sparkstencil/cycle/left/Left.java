/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cycle.left;

import io.sparkstencil.cycle.right.Right;

/** One half of a cycle, which the architecture test must find. */
public record Left(Right other) {}
