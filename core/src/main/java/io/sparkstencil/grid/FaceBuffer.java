/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.nio.ByteBuffer;

/**
 * Memory for one face that travels to another process, or has come from one. Fields that lend it
 * copy from and to it without a detour; networks read and write its bytes.
 */
public interface FaceBuffer extends AutoCloseable {
  /** Returns a view of all bytes of the face, of no use once this is closed. */
  ByteBuffer bytes();

  /** Gives the memory back, once. Nobody reads or writes it any more. */
  @Override
  void close();
}
