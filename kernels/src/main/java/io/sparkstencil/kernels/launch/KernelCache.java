/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.launch;

import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.AwaitedFailure;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.variant.KernelKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The kernels loaded on one device, by what they are made from. Each is compiled once, by the first
 * thread that asks, while others that want the same one wait; a failure is not kept. The cache owns
 * the modules. Beyond {@value #MOST_LOADED} it unloads those that nobody holds, the least recently
 * used first. It logs for debugging how full each kernel can fill the device. Safe for many
 * threads.
 */
public final class KernelCache implements AutoCloseable {
  /**
   * The most kernels that stay loaded without being held. A query uses a handful; the widest take
   * some hundred kilobytes of host and of device memory each, so that this many are small beside
   * one batch, and compiling one again takes some ten milliseconds.
   */
  public static final int MOST_LOADED = 256;

  private static final System.Logger LOG = System.getLogger(KernelCache.class.getName());

  private final PrimaryContext context;
  private final int mostLoaded;
  private final Map<KernelKey, Entry> kernels =
      new LinkedHashMap<>(16, 0.75f, true); // the least recently used first; guarded by this

  /** A kernel that is loaded or being loaded, and how many hold it. */
  private static final class Entry {
    private final CompletableFuture<LoadedKernel> kernel = new CompletableFuture<>();
    private int holders;
  }

  /** Creates an empty cache for the device of {@code context}, which outlives it. */
  public KernelCache(PrimaryContext context) {
    this(context, MOST_LOADED);
  }

  KernelCache(PrimaryContext context, int mostLoaded) {
    this.context = context;
    this.mostLoaded = mostLoaded;
  }

  /**
   * Returns what a user holds kernels by.
   *
   * @param generate makes the text of a kernel
   */
  public HeldKernels hold(Function<KernelKey, GeneratedKernel> generate) {
    return new HeldKernels(this, generate);
  }

  /**
   * Returns the kernel of {@code key}, which stays loaded until it is released, or else until the
   * cache is closed.
   *
   * @param generate makes its text if it is not loaded yet
   */
  public LoadedKernel get(KernelKey key, Supplier<GeneratedKernel> generate) {
    Entry entry;
    boolean first;
    synchronized (this) {
      entry = kernels.get(key);
      first = entry == null;
      if (first) {
        entry = new Entry();
        kernels.put(key, entry);
      }
      entry.holders++;
    }
    if (first) {
      return load(key, generate, entry);
    }
    try {
      return entry.kernel.join();
    } catch (CompletionException e) {
      throw AwaitedFailure.of(e);
    }
  }

  /** Gives held kernels up: each may be unloaded unless another holds it. */
  void release(Collection<KernelKey> keys) {
    List<LoadedKernel> surplus = new ArrayList<>();
    synchronized (this) {
      for (KernelKey key : keys) {
        Entry entry = kernels.get(key);
        if (entry != null) { // else the cache has been closed
          entry.holders--;
        }
      }
      Iterator<Entry> oldestFirst = kernels.values().iterator();
      while (kernels.size() > mostLoaded && oldestFirst.hasNext()) {
        Entry entry = oldestFirst.next();
        if (entry.holders == 0) {
          oldestFirst.remove();
          surplus.add(entry.kernel.join()); // at once: who loads it holds it
        }
      }
    }
    surplus.forEach(LoadedKernel::close);
  }

  private LoadedKernel load(KernelKey key, Supplier<GeneratedKernel> generate, Entry mine) {
    long start = System.nanoTime();
    try {
      LoadedKernel kernel = new LoadedKernel(context, generate.get());
      mine.kernel.complete(kernel);
      LOG.log(System.Logger.Level.DEBUG, () -> loaded(kernel, System.nanoTime() - start));
      return kernel;
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        kernels.remove(key, mine);
      }
      mine.kernel.completeExceptionally(e);
      throw e;
    }
  }

  private String loaded(LoadedKernel kernel, long nanos) {
    GeneratedKernel generated = kernel.generated();
    int threads = generated.threadsPerBlock();
    int blocks = kernel.blocksPerMultiprocessor();
    return String.format(
        Locale.ROOT,
        "loaded %s in %.1f ms: %d blocks on a multiprocessor, occupancy %.2f",
        generated.entryName(),
        nanos / 1e6,
        blocks,
        (double) blocks * threads / context.traits().threadsPerMultiprocessor());
  }

  /** Returns the number of kernels loaded. */
  public synchronized int size() {
    return kernels.size();
  }

  /** Unloads everything; nothing may be running. */
  @Override
  public synchronized void close() {
    for (Entry entry : kernels.values()) {
      if (entry.kernel.isDone() && !entry.kernel.isCompletedExceptionally()) {
        entry.kernel.join().close();
      }
    }
    kernels.clear();
  }
}
