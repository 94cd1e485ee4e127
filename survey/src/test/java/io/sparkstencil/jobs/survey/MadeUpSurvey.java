/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.jobs.survey.page.SurveyFiles;
import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import io.sparkstencil.survey.SurveyedDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A survey of a device that does not exist; its numbers are those of formulas. */
public final class MadeUpSurvey {
  /** Three experiments: even axes, logarithmic axes, one that cannot be run. */
  public static final List<Experiment> EXPERIMENTS =
      List.of(
          new Experiment(
              "banks",
              "Banks of shared memory",
              "What does a stride in shared memory cost?",
              "Each warp reads words at a stride; the prediction counts the banks it hits.",
              "A made-up book says that odd strides are free.",
              "Whether tiles are padded."),
          new Experiment(
              "sizes",
              "Rates by size",
              "From which size on does memory give its full rate?",
              "Arrays of growing size are read & written, <twice>.",
              "A made-up book says that caches hide everything.",
              "The size of batches."),
          new Experiment(
              "texture",
              "Textures",
              "Are textures faster for windows?",
              "One kernel with each.",
              "A made-up book says yes.",
              ""));

  private static final double COPY_GIGABYTES = 4000;

  private MadeUpSurvey() {}

  /** Returns a device of which only name, place and driver differ from others. */
  public static SurveyedDevice device(String name, String uuid, String host, String driver) {
    return new SurveyedDevice(
        name, uuid, "0000:0a:00.0", host, driver, "9.0", 132, 140L << 30, 60L << 20, 1980);
  }

  /** Returns the first device. */
  public static SurveyedDevice device() {
    return device("Imaginary 100", "GPU-1", "north", "13.0");
  }

  /**
   * Returns what is found.
   *
   * @param speed how fast the device is; 1 is as fast as predicted
   */
  public static Finding finding(Experiment experiment, double speed) {
    return switch (experiment.name()) {
      case "banks" -> new Finding("banks", List.of(banks(speed)), bankClaims(), MEANING, 2.13);
      case "sizes" ->
          new Finding(
              "sizes",
              List.of(sizes(speed), link(speed)),
              List.of(),
              "Memory gives its full rate from 64 MiB on.",
              12.5);
      default ->
          new Finding(
              experiment.name(), List.of(), List.of(), "This device has no textures.", 0.01);
    };
  }

  private static final String MEANING = "A stride of 32 words costs 32 times as much as one of 1.";

  private static List<Claim> bankClaims() {
    return List.of(
        new Claim("Odd strides are free (made up).", Claim.Verdict.YES, "1.00 times stride 1"),
        new Claim("Padding halves the time.", Claim.Verdict.PARTLY, "0.5 times at stride 32 alone"),
        new Claim("16-byte reads are slower.", Claim.Verdict.NO, "1.02 times as fast"));
  }

  private static SurveyChart banks(double speed) {
    DoubleUnaryOperator degree = stride -> gcd((int) stride, 32);
    return new SurveyChart(
        "strides",
        "Time of a read by stride",
        new Axis("stride", "words", false),
        new Axis("time of a read", "cycles", false),
        List.of(
            curve("4-byte reads", strides(), degree, degree, 1.01 / speed, 0.01),
            curve(
                "8-byte reads",
                strides(),
                stride -> 2 * degree.applyAsDouble(stride),
                degree,
                2.2 / speed,
                0.3),
            curve("padded", strides(), stride -> 1, stride -> Double.NaN, 1.5 / speed, 0.01)),
        List.of(new Limit("a read without conflicts", 1)));
  }

  private static SurveyChart sizes(double speed) {
    DoubleUnaryOperator model = bytes -> COPY_GIGABYTES * bytes / (bytes + 3e7);
    return new SurveyChart(
        "rates",
        "Rate of copies by size",
        new Axis("size of the array", "bytes", true),
        new Axis("rate", "GB/s", true),
        List.of(
            curve("16-byte accesses", sizes(), model, model, 0.97 * speed, 0.01),
            curve("4-byte accesses", sizes(), model, model, 0.9 * speed, 0.12),
            curve("asynchronous", sizes(), model, model, 0.6 * speed, 0.05),
            curve("through textures", sizes(), model, model, 0.3 * speed, 0.01)),
        List.of(
            new Limit("fastest copy", COPY_GIGABYTES),
            new Limit("peak of the data sheet", 1.15 * COPY_GIGABYTES),
            new Limit("link", 55)));
  }

  private static SurveyChart link(double speed) {
    DoubleUnaryOperator model = bytes -> 55;
    return new SurveyChart(
        "link",
        "Rate of the link to the host",
        new Axis("size of a copy", "bytes", true),
        new Axis("rate", "GB/s", false),
        List.of(
            curve("link to the device", sizes(), model, model, 0.98 * speed, 0.02),
            curve("link to the host", sizes(), model, model, 0.95 * speed, 0.02)),
        List.of(new Limit("fastest copy", COPY_GIGABYTES)));
  }

  private static double[] strides() {
    return IntStream.rangeClosed(1, 33).asDoubleStream().toArray();
  }

  private static double[] sizes() {
    return IntStream.rangeClosed(14, 32).mapToDouble(power -> Math.pow(2, power)).toArray();
  }

  private static Curve curve(
      String name,
      double[] at,
      DoubleUnaryOperator truth,
      DoubleUnaryOperator model,
      double factor,
      double spread) {
    return new Curve(
        name,
        DoubleStream.of(at)
            .mapToObj(
                x ->
                    new Measured(
                        x,
                        factor * truth.applyAsDouble(x),
                        model.applyAsDouble(x),
                        spread,
                        15,
                        factor < 0.9 ? "a made-up reason" : ""))
            .toList());
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** Returns a whole survey. */
  public static SurveyResult result(SurveyedDevice device, double speed) {
    SurveyResult result = new SurveyResult("0.1.0", device, List.of());
    for (Experiment experiment : EXPERIMENTS) {
      result = result.with(new AnsweredQuestion(experiment, finding(experiment, speed)));
    }
    return result;
  }

  /** Writes its files to a folder, for people to look at. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    folder.toFile().mkdirs();
    new SurveyFiles(folder).write(result(device(), 1));
  }
}
