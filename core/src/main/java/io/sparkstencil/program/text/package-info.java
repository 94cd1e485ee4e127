/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs as text. */
package io.sparkstencil.program.text;
