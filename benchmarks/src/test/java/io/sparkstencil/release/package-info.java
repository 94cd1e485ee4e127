/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests of what a release consists of. */
package io.sparkstencil.release;
