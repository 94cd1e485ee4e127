/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Generated kernels on a device: loading them, keeping them loaded, launching them. */
package io.sparkstencil.kernels.launch;
