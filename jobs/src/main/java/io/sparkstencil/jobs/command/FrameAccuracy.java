/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.model.Accuracy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the accuracies that reductions of frames have, which are fewer than those of programs. */
public final class FrameAccuracy implements ITypeConverter<Accuracy> {
  @Override
  public Accuracy convert(String text) {
    return Accuracy.ofFrames().stream()
        .filter(accuracy -> accuracy.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "expected one of %s (case-insensitive) but was '%s'"
                        .formatted(Accuracy.ofFrames(), text)));
  }
}
