/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FileSum;
import io.sparkstencil.spark.files.zarr.GroupSums;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import io.sparkstencil.spark.files.zarr.ZarrGroup;
import io.sparkstencil.spark.files.zarr.ZarrLayout;
import io.sparkstencil.spark.files.zarr.ZarrWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Samples that are kept with a checkpoint, as an array with a row per receiver. */
final class SampleFile {
  /** No field has a name with a point. */
  private static final String NAME = "receivers.samples";

  private static final String FIRST_STEP = "firstStep";
  private static final String RECEIVERS = "receivers";
  private static final int CHUNK_CELLS = 1 << 20;

  private SampleFile() {}

  /**
   * Writes samples into the group of a checkpoint, if there are some.
   *
   * @return the sums of the files, by their paths from the group
   */
  static List<FileSum> write(ZarrGroup group, SampleSeries series, Configuration hadoop) {
    int rows = series.receivers().size();
    int steps = series.length();
    if (rows == 0 || steps == 0) {
      return List.of();
    }
    int together = Math.max(1, Math.min(rows, CHUNK_CELLS / steps));
    ZarrLayout layout =
        ZarrLayout.of(
                ElementType.F64, List.of((long) rows, (long) steps), Extent.of(together, steps))
            .withDimensionNames(List.of("receiver", "step"))
            .withAttributes(
                Map.of(
                    FIRST_STEP,
                    series.firstStep(),
                    RECEIVERS,
                    series.receivers().stream().map(SampleFile::toJson).toList()));
    ZarrWriter writer = group.createArray(NAME, layout);
    List<FileSum> sums = new ArrayList<>(List.of(writer.metadataSum()));
    for (int row = 0; row < rows; row += together) {
      int end = Math.min(rows, row + together);
      double[] cells = new double[(end - row) * steps];
      for (int i = row; i < end; i++) {
        System.arraycopy(series.values().get(i), 0, cells, (i - row) * steps, steps);
      }
      Box box = Box.between(List.of((long) row, 0L), List.of((long) end, (long) steps));
      sums.addAll(writer.store(box, cells, hadoop));
    }
    writer.commit(hadoop);
    return sums.stream().map(sum -> sum.in(NAME)).toList();
  }

  private static Map<String, Object> toJson(Receiver receiver) {
    return Map.of(
        "name",
        receiver.name(),
        "field",
        receiver.field(),
        "cell",
        Arrays.stream(receiver.cell()).boxed().toList());
  }

  /**
   * Reads samples from the group of a checkpoint, or nothing if there are none.
   *
   * @param step the steps of the grid up to the checkpoint
   * @param sums what the group's files were when they were written, or nothing if nobody knows
   * @throws FieldFileException if the file is broken
   */
  static Optional<SampleSeries> read(ZarrGroup group, long step, Optional<GroupSums> sums) {
    if (!group.isGroup(NAME)) {
      return Optional.empty();
    }
    try (ZarrArray array = sums.isPresent() ? group.array(NAME, sums.get()) : group.array(NAME)) {
      List<Long> shape = array.shape();
      if (!(array.attributes().get(RECEIVERS) instanceof List<?> texts)
          || !isInteger(array.attributes().get(FIRST_STEP))
          || shape.size() != 2
          || shape.get(0) != texts.size()
          || shape.get(1) > Integer.MAX_VALUE) {
        throw broken(group);
      }
      long first = ((Number) array.attributes().get(FIRST_STEP)).longValue();
      if (first < 0 || first + shape.get(1) != step) {
        throw broken(group);
      }
      List<Receiver> receivers = new ArrayList<>();
      List<double[]> values = new ArrayList<>();
      for (int row = 0; row < texts.size(); row++) {
        receivers.add(receiver(texts.get(row), group));
        Box box = Box.between(List.of((long) row, 0L), List.of(row + 1L, shape.get(1)));
        values.add((double[]) array.read(box, ElementType.F64));
      }
      return Optional.of(new SampleSeries(first, receivers, values));
    }
  }

  private static boolean isInteger(Object number) {
    return number instanceof Integer || number instanceof Long;
  }

  private static Receiver receiver(Object json, ZarrGroup group) {
    if (json instanceof Map<?, ?> map
        && map.get("name") instanceof String name
        && map.get("field") instanceof String field
        && map.get("cell") instanceof List<?> cell
        && cell.stream().allMatch(SampleFile::isInteger)) {
      return new Receiver(
          field, cell.stream().mapToLong(at -> ((Number) at).longValue()).toArray(), name);
    }
    throw broken(group);
  }

  private static FieldFileException broken(ZarrGroup group) {
    return FieldFileException.broken(
        "%s does not say which receivers it is of, and which steps; remove it to go on without the samples before the checkpoint"
            .formatted(group.path(NAME)));
  }
}
