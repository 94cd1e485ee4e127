/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.DeviceLimits;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.SurveyKernel;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.tuning.LaunchTimer;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * A device to measure on: an input whose words are known and never zero, an output, kernels, a
 * clock. Owns its memory; used by one thread.
 */
public final class Bench implements AutoCloseable {
  /** What words are before a kernel writes them: a NaN. */
  public static final int POISON = -1;

  /** The most words that are compared at once. */
  public static final int CHECKED_WORDS = 1 << 20;

  private static final int PATTERN_WORDS = 1 << 14;

  /** Samples take about so long; a point about so long in all. */
  private static final double SAMPLE_MILLIS = 2;

  private static final double POINT_MILLIS = 60;
  private static final int FEWEST_REPEATS = 5;

  private final CloseScope owned = new CloseScope();
  private final CudaDriver driver;
  private final PrimaryContext context;
  private final DeviceLimits limits;
  private final Effort effort;
  private final CudaStream stream;
  private final KernelCache cache;
  private final DeviceBuffer input;
  private final DeviceBuffer output;
  private final PinnedBuffer staged;
  private HeldKernels held;

  /**
   * Takes the memory.
   *
   * @param driver that of the device
   * @param context the device; outlives this
   */
  public Bench(CudaDriver driver, PrimaryContext context, Effort effort) {
    this.driver = driver;
    this.context = context;
    this.effort = effort;
    this.limits = context.limits();
    try {
      this.stream = owned.add(context.newStream());
      this.cache = owned.add(new KernelCache(context));
      this.held = cache.hold(Bench::generate);
      this.input = owned.add(context.allocateDevice(effort.arrayBytes()));
      this.output = owned.add(context.allocateDevice(effort.arrayBytes()));
      this.staged =
          owned.add(
              context.allocatePinned(
                  Math.min(effort.arrayBytes(), (long) CHECKED_WORDS * Integer.BYTES)));
      fillInput();
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  private static GeneratedKernel generate(KernelKey key) {
    return key instanceof KernelVariant variant
        ? KernelGenerator.generate(variant)
        : ((SurveyKernel) key).generate();
  }

  /** Returns word {@code index} of the input: the bits of a whole number from 1 to 251. */
  public static int inputWord(int index) {
    return Float.floatToRawIntBits(inputCell(index));
  }

  /** Returns cell {@code index} of the input as binary32. */
  public static float inputCell(int index) {
    return 1 + (index % PATTERN_WORDS) * 7919 % 8191 % 251;
  }

  private void fillInput() {
    int bytes = PATTERN_WORDS * Integer.BYTES;
    ByteBuffer pattern = staged.view(0, bytes);
    for (int i = 0; i < PATTERN_WORDS; i++) {
      pattern.putInt(inputWord(i));
    }
    stream.copyIn(staged, bytes, input.address());
    for (long filled = bytes; filled < effort.arrayBytes(); filled *= 2) {
      stream.copy(input.address(), filled, input.address() + filled);
    }
    stream.synchronize();
  }

  /** Returns the device's context. */
  public PrimaryContext context() {
    return context;
  }

  /** Retains the device's primary context, which is held already, and releases it. */
  public void retainAgain() {
    driver.open(context.traits().ordinal()).close();
  }

  /** Returns what the device is. */
  public CudaDevice traits() {
    return context.traits();
  }

  /** Returns what the device has near its multiprocessors. */
  public DeviceLimits limits() {
    return limits;
  }

  /** Returns how much is measured. */
  public Effort effort() {
    return effort;
  }

  /** Returns the stream that everything goes to. */
  public CudaStream stream() {
    return stream;
  }

  /** Returns the address of the input. */
  public long input() {
    return input.address();
  }

  /** Returns the address of the output. */
  public long output() {
    return output.address();
  }

  /** Returns new arguments, with the input and the output. */
  public LaunchArguments arguments() {
    return new LaunchArguments()
        .set(KernelParameter.INPUT, input.address())
        .set(KernelParameter.OUTPUT, output.address());
  }

  /** Returns blocks for kernels that compute: {@code perMultiprocessor} on each, if affordable. */
  public int fill(int perMultiprocessor) {
    return Math.min(effort.mostBlocks(), traits().multiprocessors() * perMultiprocessor);
  }

  /** Returns a kernel, which stays loaded until {@link #release}. */
  public LoadedKernel kernel(KernelKey key) {
    return held.get(key);
  }

  /** Unloads kernels. */
  public void release() {
    held.close();
    cache.close();
    held = cache.hold(Bench::generate);
  }

  /** Launches. */
  public void launch(BenchLaunch work) {
    kernel(work.kernel()).launch(stream, work.blocks(), work.blocksY(), work.arguments());
  }

  /** Runs a launch over a poisoned output and returns the first words of that. */
  public int[] run(BenchLaunch work, int words) {
    poison(words);
    launch(work);
    return read(words);
  }

  /** Makes the first words of the output {@link #POISON}, before anything else runs. */
  public void poison(int words) {
    stream.fill(output.address(), (long) words * Integer.BYTES, (byte) POISON);
    stream.synchronize();
  }

  /** Returns the first words of the output, at most {@value #CHECKED_WORDS}. */
  public int[] read(int words) {
    long bytes = (long) words * Integer.BYTES;
    stream.copyOut(output.address(), bytes, staged);
    stream.synchronize();
    int[] found = new int[words];
    staged.view(0, bytes).asIntBuffer().get(found);
    return found;
  }

  /**
   * Runs a launch and compares the first words of the output.
   *
   * @param expected what the CPU has for each word, {@link #POISON} for those not written
   * @throws StencilException if one differs
   */
  public void check(BenchLaunch work, int words, IntUnaryOperator expected) {
    compare(work.kernel().entryName(), run(work, words), expected);
  }

  /** Compares words with what the CPU has for them. */
  public void compare(String name, int[] found, IntUnaryOperator expected) {
    for (int i = 0; i < found.length; i++) {
      int wanted = expected.applyAsInt(i);
      if (found[i] != wanted) {
        throw new StencilException(
            ErrorCode.INTERNAL,
            "%s wrote 0x%08x to word %d on %s, the CPU has 0x%08x; please report this, and do not trust the device"
                .formatted(name, found[i], i, traits(), wanted));
      }
    }
  }

  /** Times a launch. */
  public Timing time(BenchLaunch work) {
    LoadedKernel kernel = kernel(work.kernel());
    return time(launch -> kernel.launch(stream, work.blocks(), work.blocksY(), work.arguments()));
  }

  /**
   * Times what is submitted to the stream, as often as the effort and its own time allow.
   *
   * @param launch takes the number of the launch
   */
  public Timing time(IntConsumer launch) {
    double once = time(launch, 1, 1).millis();
    int launches = within(SAMPLE_MILLIS / once, 1, effort.launches());
    int fewest = Math.min(FEWEST_REPEATS, effort.repeats());
    int samples = within(POINT_MILLIS / (once * launches), fewest, effort.repeats());
    return time(launch, samples, launches);
  }

  private Timing time(IntConsumer launch, int samples, int launches) {
    try (LaunchTimer timer = new LaunchTimer(context, stream, samples, launches)) {
      return timer.time(launch);
    }
  }

  /** Times work by the host's clock; it ends when it returns. */
  public Timing timeOnHost(Runnable work) {
    work.run();
    double[] millis = new double[effort.repeats()];
    for (int i = 0; i < millis.length; i++) {
      long start = System.nanoTime();
      work.run();
      millis[i] = Math.max(1, System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    double median = millis[millis.length / 2];
    double spread = millis[millis.length * 9 / 10] - millis[millis.length / 10];
    return new Timing(median, spread / median, millis.length);
  }

  private static int within(double wanted, int least, int most) {
    return (int) Math.max(least, Math.min(most, Math.round(wanted)));
  }

  @Override
  public void close() {
    held.close();
    owned.close();
  }
}
