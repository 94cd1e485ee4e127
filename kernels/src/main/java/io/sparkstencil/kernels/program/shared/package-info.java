/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Memory that processes of one host share: lent by one, mapped by others, and found by tickets. */
package io.sparkstencil.kernels.program.shared;
