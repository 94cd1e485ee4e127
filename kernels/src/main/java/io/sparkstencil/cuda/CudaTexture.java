/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUtexObject;

/** Device memory as a texture of one dimension, of binary32 cells, read by their numbers. */
public final class CudaTexture extends DriverHandle {
  private final CUtexObject texture;
  private final long handle;

  CudaTexture(PrimaryContext context, CUtexObject texture, long handle) {
    super(context);
    this.texture = texture;
    this.handle = handle;
  }

  /** Returns what a kernel takes for the texture. */
  public long handle() {
    requireOpen();
    return handle;
  }

  @Override
  int free(DriverCalls driver) {
    return driver.texObjectDestroy(texture);
  }
}
