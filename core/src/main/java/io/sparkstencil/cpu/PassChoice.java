/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import java.util.Locale;
import java.util.Map;

/**
 * Which kind of passes an engine runs.
 *
 * @param vectors whether the Vector API is used rather than plain loops
 * @param description for plans and logs: which kind, and why not the faster one
 */
record PassChoice(boolean vectors, String description) {
  /** The key that says whether to use the Vector API: {@code auto}, {@code true}, {@code false}. */
  static final String KEY = "spark.stencil.cpu.vectors";

  private static final String MODULE = "jdk.incubator.vector";

  static PassChoice of(Map<String, String> options) {
    String wanted = options.getOrDefault(KEY, "auto").strip().toLowerCase(Locale.ROOT);
    boolean there = ModuleLayer.boot().findModule(MODULE).isPresent();
    return switch (wanted) {
      case "auto" -> there ? withVectors() : loops("add --add-modules=" + MODULE + " for speed");
      case "true" -> {
        if (!there) {
          throw new InvalidStencilException(
              "%s=true, but this JVM has no module %s; start it with --add-modules=%s"
                  .formatted(KEY, MODULE, MODULE));
        }
        yield withVectors();
      }
      case "false" -> loops(KEY + "=false");
      default ->
          throw new InvalidStencilException(
              "%s=%s is none of auto, true and false".formatted(KEY, wanted));
    };
  }

  private static PassChoice withVectors() {
    return new PassChoice(true, "vectors of %d bits".formatted(VectorPasses.bits()));
  }

  private static PassChoice loops(String reason) {
    return new PassChoice(false, "plain loops (%s)".formatted(reason));
  }

  /** Makes passes for one thread. */
  CellPasses passes(ElementType type) {
    if (vectors) {
      return VectorPasses.of(type);
    }
    return switch (type) {
      case F32 -> new LoopF32Passes();
      case F64 -> new LoopF64Passes();
      case I32 -> new LoopI32Passes();
      case I64 -> new LoopI64Passes();
    };
  }
}
