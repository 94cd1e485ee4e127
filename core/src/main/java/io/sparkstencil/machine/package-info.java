/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The machine that this process runs on: {@code ThisMachine} tells it from others. */
package io.sparkstencil.machine;
