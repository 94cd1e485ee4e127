/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * An emulator of the PTX that our writer emits: kernels run warp by warp on the host, and whatever
 * a device would let pass is a {@link io.sparkstencil.kernels.emulator.EmulatorFault}.
 */
package io.sparkstencil.kernels.emulator;
