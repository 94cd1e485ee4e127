/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs, cells and parameters at random, and what makes a failing case small. */
package io.sparkstencil.testkit.programs;
