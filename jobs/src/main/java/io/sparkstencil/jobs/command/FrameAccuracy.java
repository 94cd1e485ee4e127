/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the accuracies that reductions of frames have, which are fewer than those of programs. */
public final class FrameAccuracy implements ITypeConverter<Accuracy> {
  @Override
  public Accuracy convert(String text) {
    try {
      return Accuracy.parse(text, Accuracy.ofFrames());
    } catch (InvalidStencilException e) {
      TypeConversionException refused = new TypeConversionException(e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }
}
