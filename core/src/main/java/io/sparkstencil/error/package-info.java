/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Exceptions, by how the caller responds; the closing of resources; and whether work is still
 * wanted. Imports nothing of ours.
 *
 * <ul>
 *   <li>To tell callers what to do: every {@code StencilException} has an {@code ErrorCode}.
 *   <li>To have the call corrected: {@code InvalidStencilException}; the data: {@code
 *       BadDataException}.
 *   <li>To have another engine take over: {@code UnsupportedStencilException}, {@code
 *       EngineUnavailableException}, {@code KernelCompilationException}, {@code
 *       DeviceLostException}; smaller batches first: {@code DeviceOutOfMemoryException}.
 *   <li>To stop: {@code Cancellation} is asked by every long loop, and throws {@code
 *       CancelledException}.
 *   <li>To wait for other threads: {@code AwaitedFailure} throws what they failed with.
 *   <li>To close: {@code CloseScope} closes all, even if one fails.
 *   <li>To say what was meant by an unknown word: {@code NearestName} finds the name.
 *   <li>To print: {@code ShownText} makes texts of users harmless for a terminal.
 * </ul>
 *
 * <p>All that is thrown is a {@link io.sparkstencil.error.StencilException}, whose {@link
 * io.sparkstencil.error.ErrorCode} tells what to do. What fails in a task comes as the cause of
 * Spark's own exception.
 */
package io.sparkstencil.error;
