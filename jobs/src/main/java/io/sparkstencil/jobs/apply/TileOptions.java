/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that says that the rows of a table are tiles of rasters. */
final class TileOptions {
  private static final List<String> OF_SERIES =
      List.of(
          "--order-by",
          "--ordered",
          "--dedupe",
          "--resample",
          "--fill",
          "--plot",
          "--plot-series",
          "--plot-unit");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--tiles",
      split = ",",
      paramLabel = "COL",
      description =
          "In place of --order-by: the two columns with the numbers of tiles along rows and along"
              + " columns. Each value of --column is a tile, an array of arrays, and --expression goes"
              + " over the raster that they make.")
  private List<String> position = new ArrayList<>();

  /** Tells whether rows are tiles. */
  boolean given() {
    return !position.isEmpty();
  }

  /**
   * Returns the columns with the numbers of tiles.
   *
   * @throws InvalidStencilException if they are not two, or an option is of use for series only
   */
  List<String> position() {
    if (position.size() != 2) {
      throw new InvalidStencilException(
          "--tiles names %d columns; name two, those with the numbers of tiles along rows and along columns, as in --tiles r,c"
              .formatted(position.size()));
    }
    if (position.get(0).equals(position.get(1))) {
      throw new InvalidStencilException(
          "--tiles names %s twice; name the column along rows and the one along columns"
              .formatted(position.get(0)));
    }
    String foreign =
        command.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(OF_SERIES::contains)
            .collect(Collectors.joining(", "));
    if (!foreign.isEmpty()) {
      throw new InvalidStencilException(
          "%s is of no use with --tiles, whose rows have no order; omit it".formatted(foreign));
    }
    return position;
  }
}
