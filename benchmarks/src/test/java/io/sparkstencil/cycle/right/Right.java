/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cycle.right;

import io.sparkstencil.cycle.left.Left;

/** One half of a cycle, which the architecture test must find. */
public record Right(Left other) {}
