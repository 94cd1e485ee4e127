/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs and the rules outside their fields as text. */
package io.sparkstencil.program.text;
