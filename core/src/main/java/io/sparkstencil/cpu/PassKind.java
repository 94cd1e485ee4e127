/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.cpu.passes.CellPasses;
import io.sparkstencil.cpu.passes.VectorPasses;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import java.util.Map;
import java.util.Optional;

/**
 * The kind of passes that an engine runs.
 *
 * @param vectors whether passes use the Vector API instead of plain loops
 * @param description the kind of passes, and why not the faster kind; for plans and logs
 */
public record PassKind(boolean vectors, String description) {
  private static final String MODULE = "jdk.incubator.vector";

  /** The last JDK whose Vector API is known to be that of Java 17; a later one may change it. */
  private static final int NEWEST_JAVA = 25;

  /** Chooses by the option {@link CpuOptions#VECTORS} and by what this JVM has. */
  public static PassKind of(Map<String, String> options) {
    if (vectors(options)) {
      return new PassKind(true, "vectors of %d bits".formatted(VectorPasses.bits()));
    }
    String reason =
        CpuOptions.VECTORS.read(options).equals("false")
            ? CpuOptions.VECTORS + "=false"
            : reasonAgainst(hasModule(), Runtime.version().feature()).orElseThrow();
    return new PassKind(false, "plain loops (%s)".formatted(reason));
  }

  /** Returns whether the Vector API is used, without loading its classes. */
  public static boolean vectors(Map<String, String> options) {
    return switch (CpuOptions.VECTORS.read(options)) {
      case "auto" -> reasonAgainst(hasModule(), Runtime.version().feature()).isEmpty();
      case "true" -> {
        if (!hasModule()) {
          throw new InvalidStencilException(
              "%s=true, but this JVM has no module %s; start it with --add-modules=%s"
                  .formatted(CpuOptions.VECTORS, MODULE, MODULE));
        }
        yield true;
      }
      default -> false;
    };
  }

  private static boolean hasModule() {
    return ModuleLayer.boot().findModule(MODULE).isPresent();
  }

  /**
   * Returns why a JVM does not use the Vector API unless it is asked to; empty if it does.
   *
   * @param hasModule whether the JVM has the module
   * @param java the JVM's version, such as 17
   */
  static Optional<String> reasonAgainst(boolean hasModule, int java) {
    if (!hasModule) {
      return Optional.of("add --add-modules=" + MODULE + " for speed");
    }
    return java <= NEWEST_JAVA
        ? Optional.empty()
        : Optional.of(
            "the Vector API of Java %d may differ from that of Java 17 to %d; %s=true uses it"
                .formatted(java, NEWEST_JAVA, CpuOptions.VECTORS));
  }

  /**
   * Returns new passes for one thread.
   *
   * @param fused whether weighted sums round each product and sum at once; for floating-point cells
   */
  CellPasses passes(ElementType type, boolean fused) {
    if (fused) {
      return vectors ? VectorPasses.fused(type) : CellPasses.fusedLoops(type);
    }
    return vectors ? VectorPasses.of(type) : CellPasses.loops(type);
  }
}
