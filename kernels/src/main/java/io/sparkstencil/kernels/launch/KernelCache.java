/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.launch;

import io.sparkstencil.cuda.Occupancy;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The kernels loaded on one device, by what they are made from. Each is compiled once, by the first
 * thread that asks, while others that want the same one wait; a failure is not kept. The cache owns
 * the modules and unloads them, and logs for debugging how full each kernel can fill the device.
 * Safe for many threads.
 */
public final class KernelCache implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(KernelCache.class.getName());

  private final PrimaryContext context;
  private final ConcurrentMap<Record, CompletableFuture<LoadedKernel>> kernels =
      new ConcurrentHashMap<>();
  private final LongAdder compileNanos = new LongAdder();

  /** Creates an empty cache for the device of {@code context}, which outlives it. */
  public KernelCache(PrimaryContext context) {
    this.context = context;
  }

  /**
   * Returns the kernel of {@code key}, loading it first if need be.
   *
   * @param key all that the kernel is made from, compared by value
   * @param generate makes its text
   */
  public LoadedKernel get(Record key, Supplier<GeneratedKernel> generate) {
    CompletableFuture<LoadedKernel> known = kernels.get(key);
    if (known == null) {
      CompletableFuture<LoadedKernel> mine = new CompletableFuture<>();
      known = kernels.putIfAbsent(key, mine);
      if (known == null) {
        return load(key, generate, mine);
      }
    }
    try {
      return known.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private LoadedKernel load(
      Record key, Supplier<GeneratedKernel> generate, CompletableFuture<LoadedKernel> mine) {
    long start = System.nanoTime();
    try {
      LoadedKernel kernel = LoadedKernel.load(context, generate.get());
      mine.complete(kernel);
      LOG.log(System.Logger.Level.DEBUG, () -> loaded(kernel, System.nanoTime() - start));
      return kernel;
    } catch (RuntimeException | Error e) {
      kernels.remove(key, mine);
      mine.completeExceptionally(e);
      throw e;
    } finally {
      compileNanos.add(System.nanoTime() - start);
    }
  }

  private static String loaded(LoadedKernel kernel, long nanos) {
    Occupancy occupancy = kernel.occupancy();
    return String.format(
        Locale.ROOT,
        "loaded %s in %.1f ms: %d blocks on a multiprocessor, occupancy %.2f, limited by %s",
        kernel.generated().entryName(),
        nanos / 1e6,
        occupancy.blocksPerMultiprocessor(),
        occupancy.fraction(),
        occupancy.limitedBy());
  }

  /** Returns the number of kernels loaded. */
  public int size() {
    return kernels.size();
  }

  /** Returns the nanoseconds spent generating and compiling so far, over all threads. */
  public long compileNanos() {
    return compileNanos.sum();
  }

  /** Unloads everything; nothing may be running. */
  @Override
  public void close() {
    kernels.forEach(
        (key, kernel) -> {
          kernels.remove(key, kernel);
          if (kernel.isDone() && !kernel.isCompletedExceptionally()) {
            kernel.join().unload();
          }
        });
  }
}
