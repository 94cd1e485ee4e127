/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.chart.Fonts;
import io.sparkstencil.jobs.chart.PictureOptions;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.FileEnding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is left of a run, as the command line says it. */
final class OutputOptions {
  private static final int DEFAULT_FRAMES = 60;
  private static final int MOST_FRAMES = 200;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description = "A picture of the shown field after the last step.")
  private String plot;

  @Option(
      names = "--animate",
      paramLabel = "FILE.gif",
      description =
          "A moving picture of the shown field: a frame before the first step and after every --snapshot steps.")
  private String animate;

  @Option(
      names = "--snapshot",
      paramLabel = "N",
      description =
          "The steps between frames of --animate. Default: a sixtieth of all steps, which makes about 60 frames; 200 at most.")
  private Long snapshot;

  @Option(
      names = "--output",
      paramLabel = "FILE.npy|DIR.zarr|FILE.tif",
      description = "The cells of the shown field after the last step.")
  private String output;

  @Option(
      names = "--dataset",
      paramLabel = "DIR.zarr",
      description =
          "All updated fields after the last step, with names of axes, coordinates and attributes of the files of first cells, as xarray opens them.")
  private String dataset;

  @Option(
      names = "--zarr-version",
      paramLabel = "N",
      description =
          "The version of Zarr of --dataset: 3, or 2 for readers that know no other. Default: 3.")
  private Integer zarrVersion;

  @Option(
      names = "--samples",
      paramLabel = "FILE.csv",
      description = "The values of --receivers: a row per step.")
  private String samples;

  @Option(names = "--report", paramLabel = "FILE.json", description = "What the run was.")
  private String report;

  @Mixin private PictureOptions pictureOptions;

  @Option(
      names = "--overwrite",
      description = "Replace files and checkpoints that exist, as those of an earlier run.")
  private boolean overwrite;

  PictureOptions pictures() {
    return pictureOptions;
  }

  String output() {
    return output;
  }

  String samples() {
    return samples;
  }

  /** Returns the files that are asked for, as the user has named them. */
  Stream<String> named() {
    return Stream.of(plot, animate, output, dataset, samples, report).filter(Objects::nonNull);
  }

  int zarrVersion() {
    return zarrVersion == null ? 3 : zarrVersion;
  }

  boolean overwrites() {
    return overwrite;
  }

  boolean draws() {
    return plot != null || animates();
  }

  boolean animates() {
    return animate != null;
  }

  /**
   * Returns the steps from one frame to the next.
   *
   * @param steps the most steps of the run
   */
  long stepsBetweenFrames(long steps) {
    if (!animates()) {
      if (snapshot != null) {
        throw new InvalidStencilException("--snapshot has no use without --animate; add it");
      }
      return Math.max(1, steps);
    }
    long between = snapshot == null ? Math.max(1, steps / DEFAULT_FRAMES) : snapshot;
    if (between < 1) {
      throw new InvalidStencilException("--snapshot %d; use at least 1".formatted(between));
    }
    if (steps / between >= MOST_FRAMES) {
      throw new InvalidStencilException(
          "--snapshot %d makes %d frames of %d steps, more than %d; use at least --snapshot %d"
              .formatted(
                  between, steps / between + 1, steps, MOST_FRAMES, steps / (MOST_FRAMES - 1) + 1));
    }
    return between;
  }

  /** The places of all files; those that are not asked for are null. */
  record Places(
      Destination plot,
      Destination animation,
      Destination cells,
      Destination dataset,
      Destination samples,
      Destination report)
      implements AutoCloseable {
    /** Makes sure that everything can be written, and nothing twice. */
    void require(List<Path> read) {
      List<Destination> before = new ArrayList<>();
      for (Destination each : all()) {
        each.requireApart("what is read,", read, before);
        before.add(each);
      }
      before.forEach(Destination::requireWritable);
    }

    List<Destination> all() {
      return Stream.of(plot, animation, cells, dataset, samples, report)
          .filter(Objects::nonNull)
          .toList();
    }

    @Override
    public void close() {
      all().forEach(Destination::close);
    }
  }

  /**
   * Finds the places of the files.
   *
   * @param notes what is told of what killed runs have left there
   */
  Places places(Configuration hadoop, Consumer<String> notes) {
    FileEnding.require("--plot", plot, ".png");
    FileEnding.require("--animate", animate, ".gif");
    FileEnding.require("--samples", samples, ".csv");
    FileEnding.require("--report", report, ".json");
    FileEnding.require("--output", output, ".npy", ".zarr", ".tif", ".tiff");
    FileEnding.require("--dataset", dataset, ".zarr");
    if (zarrVersion != null && (dataset == null || zarrVersion < 2 || zarrVersion > 3)) {
      throw new InvalidStencilException(
          "--zarr-version %d; use 2 or 3, with --dataset".formatted(zarrVersion));
    }
    if (plot != null || animate != null) {
      Fonts.require(plot != null ? "--plot" : "--animate");
    }
    boolean folder = output != null && output.toLowerCase(Locale.ROOT).endsWith(".zarr");
    return new Places(
        Destination.file("--plot", plot, overwrite, hadoop, notes),
        Destination.file("--animate", animate, overwrite, hadoop, notes),
        folder
            ? Destination.table("--output", output, overwrite, hadoop, notes)
            : Destination.file("--output", output, overwrite, hadoop, notes),
        dataset == null ? null : Destination.table("--dataset", dataset, overwrite, hadoop, notes),
        Destination.file("--samples", samples, overwrite, hadoop, notes),
        Destination.file("--report", report, overwrite, hadoop, notes));
  }
}
