/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;

/** PTX that the driver has compiled for its device. Functions of a module die with it. */
public final class CudaModule extends DriverHandle {
  private final CUmodule module;

  CudaModule(PrimaryContext context, CUmodule module) {
    super(context);
    this.module = module;
  }

  /** Returns the kernel of that name. */
  public KernelFunction function(String entryName) {
    CUfunction function = new CUfunction();
    context.call(
        this,
        "cuModuleGetFunction",
        driver -> driver.moduleGetFunction(function, module, entryName));
    return new KernelFunction(this, function, entryName);
  }

  @Override
  int free(DriverCalls driver) {
    return driver.moduleUnload(module);
  }
}
