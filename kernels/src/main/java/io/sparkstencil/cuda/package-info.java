/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The CUDA driver: one class per kind of handle, each with one owner. The only package that imports
 * {@code jcuda}; nobody outside sees its types. Kernels come in as PTX text, addresses go out as
 * {@code long}.
 *
 * <ul>
 *   <li>To begin: {@code CudaDriver} loads the {@code NativeLibrary} and lists {@code CudaDevice}s;
 *       {@code PrimaryContext} makes all that a device has, {@code DeviceLimits} say what memory
 *       its multiprocessors have.
 *   <li>To queue: {@code CudaStream}, {@code CudaEvent}, {@code CudaGraph}.
 *   <li>To launch: a {@code KernelFunction} in a {@code LaunchShape}; {@code LaunchSlots} have the
 *       arguments.
 *   <li>To have memory: {@code DeviceBuffer} and {@code PinnedBuffer} are {@code PooledBuffer}s,
 *       which a {@code BufferPool} lends as {@code BufferLease}s; {@code MappedMemory} is that of
 *       another process, {@code CudaTexture} reads cells by number, {@code Pitched} says where rows
 *       lie.
 *   <li>To own: every handle is a {@code DriverHandle}.
 *   <li>To call: {@code DriverCalls} and {@code CopyCalls} are the driver's functions, which tests
 *       override; {@code DriverFailure} says what their codes mean.
 * </ul>
 */
package io.sparkstencil.cuda;
