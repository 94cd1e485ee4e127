/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.rapids;

import io.sparkstencil.error.EngineUnavailableException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * The few calls of cuDF's Java classes that are needed, found by name. Objects of cuDF are plain
 * {@link Object}s here; whoever gets one from {@link #child}, {@link #allocate} or {@link #cells}
 * closes it. What a call throws comes through as it is, so that RAPIDS can act on it.
 */
final class CudfCalls {
  private static final String PACKAGE = "ai.rapids.cudf.";
  private static final int OFFSET_BYTES = 4;

  private final Class<?> view;
  private final Object listType;
  private final Object stream;
  private final Method rowCount;
  private final Method nullCount;
  private final Method type;
  private final Method child;
  private final Method data;
  private final Method offsets;
  private final Method valid;
  private final Method address;
  private final Method length;
  private final Method allocateDevice;
  private final Method allocateHost;
  private final Method toHost;
  private final Method toDevice;
  private final Method getInts;
  private final Method setInts;
  private final Method synchronize;
  private final Method toVector;
  private final Method share;
  private final Constructor<?> newCells;
  private final Constructor<?> newList;

  /** Finds the classes through {@code loader}. */
  CudfCalls(ClassLoader loader) {
    try {
      view = load(loader, "ColumnView");
      Class<?> buffer = load(loader, "BaseDeviceMemoryBuffer");
      Class<?> host = load(loader, "HostMemoryBuffer");
      Class<?> types = load(loader, "DType");
      Class<?> cuda = load(loader, "Cuda");
      listType = types.getField("LIST").get(null);
      stream = cuda.getField("DEFAULT_STREAM").get(null);
      rowCount = view.getMethod("getRowCount");
      nullCount = view.getMethod("getNullCount");
      type = view.getMethod("getType");
      child = view.getMethod("getChildColumnView", int.class);
      data = view.getMethod("getData");
      offsets = view.getMethod("getOffsets");
      valid = view.getMethod("getValid");
      address = load(loader, "MemoryBuffer").getMethod("getAddress");
      length = load(loader, "MemoryBuffer").getMethod("getLength");
      allocateDevice = load(loader, "DeviceMemoryBuffer").getMethod("allocate", long.class);
      allocateHost = host.getMethod("allocate", long.class);
      toHost = host.getMethod("copyFromDeviceBuffer", buffer);
      toDevice = buffer.getMethod("copyFromHostBuffer", host);
      getInts = host.getMethod("getInts", int[].class, long.class, long.class, int.class);
      setInts = host.getMethod("setInts", long.class, int[].class, long.class, long.class);
      synchronize = load(loader, "Cuda$Stream").getMethod("sync");
      toVector = view.getMethod("copyToColumnVector");
      share = load(loader, "ColumnVector").getMethod("incRefCount");
      newCells = view.getConstructor(types, long.class, Optional.class, buffer, buffer);
      newList =
          view.getConstructor(
              types,
              long.class,
              Optional.class,
              buffer,
              buffer,
              Array.newInstance(view, 0).getClass());
    } catch (ReflectiveOperationException e) {
      throw new EngineUnavailableException(
          "this version of the RAPIDS Accelerator lacks what array functions call (%s); set spark.stencil.sql.arrays.rapids=false"
              .formatted(e),
          e);
    }
  }

  private static Class<?> load(ClassLoader loader, String name) throws ClassNotFoundException {
    return Class.forName(PACKAGE + name, true, loader);
  }

  private static Object call(Method method, Object target, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw unchecked(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a public method of cuDF is not accessible", e);
    }
  }

  private static Object make(Constructor<?> constructor, Object... arguments) {
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw unchecked(e);
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException("a public constructor of cuDF is not accessible", e);
    }
  }

  private static RuntimeException unchecked(InvocationTargetException wrapper) {
    if (wrapper.getCause() instanceof RuntimeException cause) {
      return cause;
    }
    if (wrapper.getCause() instanceof Error cause) {
      throw cause;
    }
    return new IllegalStateException(wrapper.getCause());
  }

  int rows(Object column) {
    return Math.toIntExact((Long) call(rowCount, column));
  }

  long nulls(Object column) {
    return (Long) call(nullCount, column);
  }

  /** Returns a view of the elements of a list column. */
  Closing child(Object list) {
    return new Closing(call(child, list, 0));
  }

  /** Returns the address of a column's cells, or 0 if it has none. */
  long dataAddress(Object column) {
    return addressOf(call(data, column));
  }

  /** Returns the address of a column's validity bits, or 0 if it has none. */
  long validAddress(Object column) {
    return addressOf(call(valid, column));
  }

  private long addressOf(Object buffer) {
    return buffer == null ? 0 : address(buffer);
  }

  long address(Object buffer) {
    return (Long) call(address, buffer);
  }

  /** Returns the offsets of a list column that has rows: one more than there are rows. */
  int[] offsets(Object list) {
    int[] read = new int[rows(list) + 1];
    Object buffer = call(offsets, list);
    try (Closing host = new Closing(call(allocateHost, null, call(length, buffer)))) {
      call(toHost, host.what(), buffer);
      call(getInts, host.what(), read, 0L, 0L, read.length);
    }
    return read;
  }

  /** Returns device memory of RAPIDS's pool. */
  Closing allocate(long bytes) {
    return new Closing(call(allocateDevice, null, Math.max(1, bytes)));
  }

  /** Writes numbers to the start of device memory. */
  void write(int[] numbers, Object buffer) {
    try (Closing host =
        new Closing(call(allocateHost, null, (long) OFFSET_BYTES * numbers.length))) {
      call(setInts, host.what(), 0L, numbers, 0L, (long) numbers.length);
      call(toDevice, buffer, host.what());
    }
  }

  /** Waits for what cuDF has submitted for this thread. */
  void synchronize() {
    call(synchronize, stream);
  }

  /**
   * Returns a view of cells in memory of the caller's.
   *
   * @param like a column of the same type
   * @param validity bits, or null if no cell is null
   */
  Closing cells(Object like, long count, Object buffer, Object validity) {
    Optional<Long> nulls = validity == null ? Optional.of(0L) : Optional.empty();
    return new Closing(make(newCells, call(type, like), count, nulls, buffer, validity));
  }

  /** Returns a list column with the rows' validity of {@code like} and a copy of all else. */
  Object list(Object like, Object listOffsets, Object elements) {
    Object children = Array.newInstance(view, 1);
    Array.set(children, 0, elements);
    try (Closing list =
        new Closing(
            make(
                newList,
                listType,
                (long) rows(like),
                Optional.of(nulls(like)),
                call(valid, like),
                listOffsets,
                children))) {
      return call(toVector, list.what());
    }
  }

  /** Returns {@code column} once more, to be closed by whoever gets it. */
  Object share(Object column) {
    return call(share, column);
  }

  /**
   * Something of cuDF's that is closed at the end of a block, which throws nothing that is checked,
   * whatever its interface says.
   */
  record Closing(Object what) implements AutoCloseable {
    @Override
    public void close() {
      try {
        ((AutoCloseable) what).close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("cuDF could not release memory", e);
      }
    }
  }
}
