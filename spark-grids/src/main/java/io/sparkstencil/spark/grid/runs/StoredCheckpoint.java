/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.zarr.GroupSums;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import io.sparkstencil.spark.files.zarr.ZarrGroup;
import io.sparkstencil.spark.grid.cells.FieldCells;
import io.sparkstencil.spark.grid.cells.FileCells;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.util.SerializableConfiguration;

/**
 * A checkpoint in its folder. Its name and attributes say after which step it is, of which program
 * and run; the sums of its group say the same, and what each of its files was.
 */
final class StoredCheckpoint {
  private static final String STEP = "step";
  private static final String PROGRAM = "program";
  private static final String RUN = "run";

  /** Of older versions there are names without a run: those checkpoints have no sums. */
  private static final Pattern NAME = Pattern.compile("step-(\\p{Nd}{15})(?:-([0-9a-f]+))?");

  private final ZarrGroup group;
  private final long step;
  private final String run; // empty for those of older versions

  private StoredCheckpoint(ZarrGroup group, long step, String run) {
    this.group = group;
    this.step = step;
    this.run = run;
  }

  /** Returns the name of the folder of a checkpoint. */
  static String name(long step, String run) {
    return String.format(Locale.ROOT, "step-%015d-%s", step, run); // digits of no language
  }

  /** Returns whether a folder in that of checkpoints is one of them. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  static Map<String, Object> attributes(long step, StencilProgram program, String run) {
    return Map.of(STEP, step, PROGRAM, program.digest(), RUN, run);
  }

  static Map<String, String> facts(long step, StencilProgram program, String run) {
    return Map.of(STEP, String.valueOf(step), PROGRAM, program.digest(), RUN, run);
  }

  /** Returns the complete checkpoint that a group is. */
  static StoredCheckpoint of(String name, ZarrGroup group) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      throw new IllegalArgumentException(name);
    }
    return new StoredCheckpoint(
        group, Long.parseLong(parts.group(1)), Optional.ofNullable(parts.group(2)).orElse(""));
  }

  /**
   * Looks whether all is there, and what it is of.
   *
   * @throws FieldFileException if something is missing or was changed
   * @throws InvalidStencilException if it is of another program
   */
  ZarrCheckpoints.Found read(StencilProgram program, Configuration hadoop) {
    require(STEP, isStep(group.attributes().get(STEP)), "the integer " + step);
    require(PROGRAM, group.attributes().get(PROGRAM) instanceof String, "a text");
    if (!run.isEmpty()) {
      require(RUN, run.equals(group.attributes().get(RUN)), "\"%s\"".formatted(run));
    }
    if (!program.digest().equals(group.attributes().get(PROGRAM))) {
      throw new InvalidStencilException(
          "the checkpoint %s is of another program than %s; resume with the program that wrote it"
              .formatted(group.metadataPath(), program));
    }
    Optional<GroupSums> sums = sums(program);
    List<FieldCells> cells = new ArrayList<>();
    List<Long> sizes = List.of();
    ElementType type = ElementType.F64;
    for (String field : program.fields()) {
      FieldSource source = source(field, sums);
      try (FieldReader array = source.open(hadoop)) {
        requireLike(field, array, cells.isEmpty() ? array.shape() : sizes, type, cells.isEmpty());
        sizes = array.shape();
        type = array.type();
        requireWhole(field, array, sums);
      }
      cells.add(new FileCells(source, new SerializableConfiguration(hadoop)));
    }
    return new ZarrCheckpoints.Found(
        step, type, sizes, cells, SampleFile.read(group, step, sums), note(sums));
  }

  private boolean isStep(Object attribute) {
    return (attribute instanceof Integer || attribute instanceof Long)
        && ((Number) attribute).longValue() == step;
  }

  private void require(String attribute, boolean isRight, String wanted) {
    if (!isRight) {
      throw FieldFileException.broken(
          "%s, attribute \"%s\": expected %s, found %s; the file was changed since the checkpoint was complete: bring it back, or begin without it"
              .formatted(
                  group.metadataPath(),
                  attribute,
                  wanted,
                  group.attributes().containsKey(attribute)
                      ? group.attributes().get(attribute)
                      : "none"));
    }
  }

  private Optional<GroupSums> sums(StencilProgram program) {
    Optional<GroupSums> sums = group.sums();
    if (run.isEmpty()) {
      return sums;
    }
    GroupSums found =
        sums.orElseThrow(
            () ->
                FieldFileException.broken(
                    "%s is missing, without which nobody knows whether the checkpoint is as it was; bring the file back, or begin without the checkpoint"
                        .formatted(group.sumsPath())));
    if (!found.facts().equals(facts(step, program, run))) {
      throw FieldFileException.broken(
          "%s is of another checkpoint: of %s; bring the right file back, or begin without the checkpoint"
              .formatted(group.sumsPath(), found.facts()));
    }
    return sums;
  }

  private FieldSource source(String field, Optional<GroupSums> sums) {
    if (sums.isPresent()) {
      return group.source(field, sums.get());
    }
    String path = group.path(field);
    return hadoop -> ZarrArray.open(path, hadoop);
  }

  private void requireLike(
      String field, FieldReader array, List<Long> sizes, ElementType type, boolean isFirst) {
    if (!isFirst && (!array.shape().equals(sizes) || array.type() != type)) {
      throw FieldFileException.broken(
          "%s has %s cells of %s, and the fields before it have %s of %s; the file was changed: bring it back, or begin without the checkpoint"
              .formatted(group.path(field), array.shape(), array.type(), sizes, type));
    }
  }

  /** Grids write all chunks: where none of them is known, all must be there. */
  private void requireWhole(String field, FieldReader array, Optional<GroupSums> sums) {
    long missing = sums.isEmpty() ? array.missingParts() : 0;
    if (missing > 0) {
      throw FieldFileException.broken(
          "the checkpoint %s is not whole, chunks missing: %d; bring the files back, or begin without it"
              .formatted(group.path(field), missing));
    }
  }

  private Optional<String> note(Optional<GroupSums> sums) {
    return sums.isPresent()
        ? Optional.empty()
        : Optional.of(
            "the checkpoint %s is of an older version, which kept no checksums: its cells are taken as they are; the next checkpoint has some"
                .formatted(group.metadataPath()));
  }
}
