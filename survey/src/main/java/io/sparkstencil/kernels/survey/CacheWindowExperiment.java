/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.DeviceLimits;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.WindowReadKernel;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Claim.Verdict;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Whether the second-level cache keeps a window that is asked to stay. */
final class CacheWindowExperiment implements SurveyExperiment {
  private static final int FIRST_CAPABILITY = 80;
  private static final int STEPS = 12;
  private static final long LEAST_WINDOW = 10L << 20;
  private static final int CHECKED_BLOCKS = 8;
  private static final int THREADS = WindowReadKernel.THREADS;
  private static final int UNIT = WindowReadKernel.UNIT;

  /** How many of a thousand lines are asked to stay. */
  private enum Policy {
    PLAIN,
    ALL,
    TUNED
  }

  @Override
  public Experiment experiment() {
    return new Experiment(
        "l2-window",
        "A window that stays in the second-level cache",
        "Do loads gain that ask the second-level cache to keep what they read?",
        "A window is read again and again while an array streams past it: each thread adds a unit of"
            + " 16 bytes of both and stores the sum. Loads are plain; or carry a policy of PTX,"
            + " evict_last for the window and evict_first for the array; or ask for as much of the"
            + " window only as two thirds of what the device can set aside. The prediction reads the"
            + " window from memory only where it does not fit: plain loads keep a third of the cache,"
            + " since three arrays pass through it.",
        "NVIDIA, CUDA C++ Best Practices Guide, A100, 30 MB set aside: up to 50 % faster while the"
            + " window fits, about 10 % slower beyond with hit ratio 1.0, never slower with a ratio"
            + " that fits.",
        "whether schedules with a window of the second-level cache are tried");
  }

  /** Returns how many bytes a device can set aside: what it states, or else its cache. */
  static long setAside(DeviceLimits limits) {
    return limits.persistingBytes() > 0 ? limits.persistingBytes() : limits.cacheBytes();
  }

  /** Returns how many of a thousand lines of a window make two thirds of what is set aside. */
  static int tunedPermille(long windowBytes, long setAsideBytes) {
    return (int) Math.max(1, Math.min(1000, 1000 * (setAsideBytes * 2 / 3) / windowBytes));
  }

  /**
   * Returns the GB/s of units read twice and written once.
   *
   * @param keptBytes how much of the window stays in the cache
   * @param copy GB/s of a plain copy
   */
  static double predicted(double windowBytes, double keptBytes, double copy) {
    double missing = 1 - Math.min(1, keptBytes / windowBytes);
    return copy * 3 / (2 + missing);
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    boolean policies = bench.traits().capability() >= FIRST_CAPABILITY;
    long aside = setAside(bench.limits());
    List<Curve> curves = new ArrayList<>();
    try {
      for (Policy policy : policies ? Policy.values() : new Policy[] {Policy.PLAIN}) {
        curves.add(curve(bench, rates, policy, aside));
      }
    } finally {
      if (policies) {
        bench.context().resetPersistingCache();
      }
    }
    SurveyChart chart =
        new SurveyChart(
            "windows",
            "A window beside a stream",
            new Axis("window", "MB", false),
            new Axis("read twice and written", "GB/s", false),
            curves,
            List.of(new Limit("window for nothing", rates.copy() * 1.5)));
    if (!policies) {
      return new FindingBuilder(
          List.of(chart),
          List.of(),
          "This device takes no policies for its second-level cache, which begin with compute capability 8.0; only plain loads were measured.");
    }
    double[] all = gains(curves.get(0), curves.get(1));
    double[] tuned = gains(curves.get(0), curves.get(2));
    double best = max(all);
    double beyond = all[all.length - 1];
    String meaning =
        FindingBuilder.text(
            "Policies for all of the window change the rate by a factor of %.2f at best and of %.2f for the largest window; fitted ones by %.2f to %.2f.",
            best, beyond, min(tuned), max(tuned));
    return new FindingBuilder(
        List.of(chart),
        List.of(fitClaim(best), beyondClaim(beyond), tunedClaim(min(tuned))),
        meaning);
  }

  private static double[] gains(Curve plain, Curve other) {
    double[] gains = new double[plain.points().size()];
    for (int i = 0; i < gains.length; i++) {
      gains[i] = other.points().get(i).y() / plain.points().get(i).y();
    }
    return gains;
  }

  private static double max(double... values) {
    double most = values[0];
    for (double value : values) {
      most = Math.max(most, value);
    }
    return most;
  }

  private static double min(double... values) {
    double least = values[0];
    for (double value : values) {
      least = Math.min(least, value);
    }
    return least;
  }

  private static Curve curve(Bench bench, DeviceRates rates, Policy policy, long aside) {
    CurveBuilder curve =
        new CurveBuilder(
            policy.name().toLowerCase(Locale.ROOT),
            "the cache replaces lines by a rule of its own");
    long array = bench.effort().arrayBytes();
    long least = Math.min(LEAST_WINDOW, array / 16);
    long most = Math.max(least, Math.min(aside * 6 / 5, array / 4));
    int blocks = (int) ((array - most) / UNIT / THREADS);
    for (int step : bench.effort().sweep(steps())) {
      int units = (int) ((least + (most - least) * step / STEPS) / UNIT);
      double window = (double) units * UNIT;
      int permille =
          switch (policy) {
            case PLAIN -> 0;
            case ALL -> 1000;
            case TUNED -> tunedPermille((long) window, aside);
          };
      WindowReadKernel kernel = new WindowReadKernel(permille);
      BenchLaunch work =
          BenchLaunch.of(kernel, blocks, bench.arguments().set(KernelParameter.SHIFT, units));
      int checked = Math.min(blocks, CHECKED_BLOCKS);
      int perUnit = UNIT / Integer.BYTES;
      bench.check(
          work.with(checked),
          checked * THREADS * perUnit,
          word ->
              Bench.inputWord(word % (units * perUnit)) + Bench.inputWord(word + units * perUnit));
      double kept =
          policy == Policy.PLAIN
              ? bench.limits().cacheBytes() / 3.0
              : Math.min((double) aside, window * permille / 1000);
      bench.stream().synchronize();
      if (policy != Policy.PLAIN) {
        bench.context().resetPersistingCache();
      }
      double bytes = 3.0 * UNIT * blocks * THREADS;
      double predicted = predicted(window, kept, rates.copy());
      curve.rate(window / 1e6, bytes, bench.time(work), predicted);
    }
    return curve.build();
  }

  private static int[] steps() {
    int[] steps = new int[STEPS + 1];
    for (int i = 0; i <= STEPS; i++) {
      steps[i] = i;
    }
    return steps;
  }

  /** Judges the best gain of policies for all of the window. */
  static Claim fitClaim(double best) {
    return new Claim(
        "A window that fits what is set aside is read up to 50 % faster (A100).",
        best >= 1.3 ? Verdict.YES : best >= 1.05 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.2f times as fast at best", best));
  }

  /** Judges the gain for the largest window, which does not fit. */
  static Claim beyondClaim(double gain) {
    return new Claim(
        "A window beyond what is set aside, all of it asked to stay, is about 10 % slower (A100).",
        gain <= 0.95 ? Verdict.YES : gain < 1 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.2f times as fast", gain));
  }

  /** Judges the least gain of policies that are fitted to the window. */
  static Claim tunedClaim(double least) {
    return new Claim(
        "With a share that fits what is set aside, no window is slower (A100).",
        least >= 0.98 ? Verdict.YES : least >= 0.95 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.2f times as fast at worst", least));
  }
}
