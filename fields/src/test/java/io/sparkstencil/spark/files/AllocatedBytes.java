/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What some work takes of the heap in passing, whether it keeps it or not. */
public final class AllocatedBytes {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocatedBytes() {}

  /** Returns the bytes that work allocates in this thread; what it throws is thrown. */
  public static long of(Runnable work) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    work.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
