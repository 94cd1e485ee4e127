/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.error.UnsupportedStencilException;
import java.util.Locale;

/**
 * A failure that a {@link FaultyEngine} is to show.
 *
 * @param call where
 * @param kind what
 * @param from the first call that fails, counted from 1
 * @param count how many calls fail from there on
 */
public record Fault(EngineCall call, Symptom kind, int from, int count) {
  /** The calls of the engine interface. */
  public enum EngineCall {
    /** {@code EngineProvider.open}. */
    OPEN,
    /** {@code StencilEngine.reasonAgainst}, where only {@link Symptom#REFUSED} makes sense. */
    REASON,
    /** {@code StencilEngine.compile}. */
    COMPILE,
    /** {@code StencilEngine.openLane}. */
    OPEN_LANE,
    /** {@code Lane.lease}. */
    LEASE,
    /** {@code Lane.submit}. */
    SUBMIT,
    /** {@code Completion.await}. */
    AWAIT,
    /** {@code StencilEngine.openSort}. */
    OPEN_SORT,
    /** {@code RowSort.sort}. */
    SORT,
    /** {@code RowSort.read}. */
    READ_SORT
  }

  /** The kinds of failure. */
  public enum Symptom {
    /** The engine cannot be opened. */
    UNAVAILABLE,
    /** The engine does not run this stencil. */
    REFUSED,
    /** No kernel compiles. */
    NOT_COMPILED,
    /** No memory is left. */
    OUT_OF_MEMORY,
    /** The device is gone, for good: every later call fails too. */
    DEVICE_LOST,
    /** A fault of the library itself. */
    INTERNAL
  }

  /** Checks the components. */
  public Fault {
    requireNonNull(call, "call is null");
    requireNonNull(kind, "kind is null");
    if (from < 1 || count < 1) {
      throw new IllegalArgumentException(
          "calls are counted from 1: from %d, count %d".formatted(from, count));
    }
  }

  /** Returns a fault at every call. */
  public static Fault always(EngineCall call, Symptom kind) {
    return new Fault(call, kind, 1, Integer.MAX_VALUE / 2);
  }

  /** Returns a fault at one call, counted from 1. */
  public static Fault at(EngineCall call, Symptom kind, int number) {
    return new Fault(call, kind, number, 1);
  }

  /** Reads what {@link #toString} writes. */
  public static Fault parse(String text) {
    String[] parts = text.strip().split(":", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException("not CALL:KIND:FROM:COUNT: " + text);
    }
    return new Fault(
        EngineCall.valueOf(parts[0].toUpperCase(Locale.ROOT)),
        Symptom.valueOf(parts[1].toUpperCase(Locale.ROOT)),
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]));
  }

  boolean strikes(int number) {
    return number >= from && number - from < count;
  }

  /** Returns the exception that an engine throws for it. */
  StencilException exception(int number) {
    String message = "injected: %s at call %d of %s".formatted(kind, number, call);
    return switch (kind) {
      case UNAVAILABLE -> new EngineUnavailableException(message);
      case REFUSED -> new UnsupportedStencilException(message);
      case NOT_COMPILED -> new KernelCompilationException(message);
      case OUT_OF_MEMORY -> new DeviceOutOfMemoryException(message);
      case DEVICE_LOST -> new DeviceLostException(message);
      case INTERNAL -> new StencilException(ErrorCode.INTERNAL, message);
    };
  }

  @Override
  public String toString() {
    return "%s:%s:%d:%d".formatted(call, kind, from, count);
  }
}
