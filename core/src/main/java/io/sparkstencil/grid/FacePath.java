/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

/** The ways by which blocks get cells of their neighbours. */
public enum FacePath {
  /** From memory of the host, or through it, inside one process. */
  HEAP,
  /** Inside the memory of one device. */
  DEVICE,
  /** From one device to another of the same process. */
  PEER,
  /** From the device of another process of the host. */
  SHARED,
  /** Pushed by another executor. */
  PUSHED,
  /** Through the log of faces. */
  LOG
}
