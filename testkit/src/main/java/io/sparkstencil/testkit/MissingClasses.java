/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A class loader that remembers which classes its parent lacks. The compiler of generated code asks
 * for the same thousands again and again, and each time all jars on the class path are searched.
 */
public final class MissingClasses extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  /** Has no stack trace: nobody looks at it. */
  private static final class Missing extends ClassNotFoundException {
    private static final long serialVersionUID = 1;

    Missing(String name) {
      super(name);
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  private final Set<String> missing = ConcurrentHashMap.newKeySet();

  private MissingClasses(ClassLoader parent) {
    super(parent);
  }

  /** Lets this thread, and threads that it starts, load classes through such a loader. */
  public static void remember() {
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    if (loader == ClassLoader.getSystemClassLoader()) {
      thread.setContextClassLoader(new MissingClasses(loader));
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (missing.contains(name)) {
      throw new Missing(name);
    }
    try {
      return getParent().loadClass(name);
    } catch (ClassNotFoundException e) {
      missing.add(name);
      throw e;
    }
  }
}
