/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import io.sparkstencil.spark.files.zarr.ZarrGroup;
import io.sparkstencil.spark.files.zarr.ZarrLayout;
import io.sparkstencil.spark.grid.tasks.BlockCells;
import io.sparkstencil.spark.grid.tasks.CheckpointSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Checkpoints as groups of Zarr arrays: one array per field, one chunk per block, without halos,
 * and one of samples. A group whose attribute {@code complete} is missing was not finished.
 */
public final class ZarrCheckpoints implements CheckpointPlan.Files {
  private static final String PREFIX = "step-";
  private static final String STEP = "step";
  private static final String PROGRAM = "program";

  private final JavaSparkContext spark;
  private final ZarrGroup folder;
  private final StencilProgram program;
  private final GridBlocks blocks;
  private final ElementType type;

  /**
   * A complete checkpoint.
   *
   * @param step the steps of the grid
   * @param type the type of the cells
   * @param sizes the cells along each axis
   * @param fields where the cells of each field are, in the program's order
   * @param samples what receivers have sampled up to there
   */
  public record Found(
      long step,
      ElementType type,
      List<Long> sizes,
      List<FieldCells> fields,
      Optional<SampleSeries> samples) {}

  /**
   * Prepares a folder, which is made if it is not there.
   *
   * @param path a folder for the checkpoints of one grid
   */
  public ZarrCheckpoints(
      JavaSparkContext spark,
      String path,
      StencilProgram program,
      GridBlocks blocks,
      ElementType type) {
    this.spark = spark;
    this.program = program;
    this.blocks = blocks;
    this.type = type;
    folder = openOrCreate(path, spark.hadoopConfiguration());
  }

  private static ZarrGroup openOrCreate(String path, Configuration hadoop) {
    try {
      Path metadata = new Path(path, "zarr.json");
      boolean exists = metadata.getFileSystem(hadoop).exists(metadata);
      return exists ? ZarrGroup.open(path, hadoop) : ZarrGroup.create(path, Map.of(), hadoop);
    } catch (IOException e) {
      throw new InvalidStencilException(
          "the folder of checkpoints %s cannot be used: %s; choose a folder that can be written"
              .formatted(path, e.getMessage()),
          e);
    }
  }

  /**
   * Returns the latest complete checkpoint of a folder.
   *
   * @throws InvalidStencilException if there is none, or it is one of another program
   */
  public static Found latest(JavaSparkContext spark, String path, StencilProgram program) {
    Configuration hadoop = spark.hadoopConfiguration();
    ZarrGroup folder = ZarrGroup.open(path, hadoop);
    ZarrGroup found =
        checkpoints(folder).stream()
            .sorted(Comparator.reverseOrder())
            .map(folder::group)
            .filter(ZarrGroup::isComplete)
            .findFirst()
            .orElseThrow(
                () ->
                    new InvalidStencilException(
                        "%s has no complete checkpoint; begin without one".formatted(path)));
    if (!program.digest().equals(found.attributes().get(PROGRAM))) {
      throw new InvalidStencilException(
          "the checkpoint in %s is of another program than %s; resume with the program that wrote it"
              .formatted(path, program));
    }
    SerializableConfiguration settings = new SerializableConfiguration(hadoop);
    ZarrArray first = found.array(program.fields().get(0));
    long step = ((Number) found.attributes().get(STEP)).longValue();
    return new Found(
        step,
        first.type(),
        first.shape(),
        cells(found, program, settings),
        SampleFile.read(found, step));
  }

  private static List<String> checkpoints(ZarrGroup folder) {
    return folder.groups().stream().filter(name -> name.startsWith(PREFIX)).toList();
  }

  private static List<FieldCells> cells(
      ZarrGroup group, StencilProgram program, SerializableConfiguration settings) {
    List<FieldCells> fields = new ArrayList<>();
    for (String field : program.fields()) {
      String path = group.path(field);
      fields.add(new FileCells(hadoop -> ZarrArray.open(path, hadoop), settings));
    }
    return fields;
  }

  @Override
  public CheckpointPlan.Checkpoint begin(long step) {
    String name = "%s%015d".formatted(PREFIX, step);
    folder.remove(name); // one that was not completed, or what tasks have written since
    ZarrGroup group = folder.createGroup(name, Map.of(STEP, step, PROGRAM, program.digest()));
    ZarrLayout layout =
        ZarrLayout.of(type, blocks.sizes(), new Extent(blocks.blockSizes()))
            .withDimensionNames(program.axes());
    List<FieldWriter> writers = new ArrayList<>();
    program.fields().forEach(field -> writers.add(group.createArray(field, layout)));
    return new Checkpoint(name, group, writers);
  }

  /** What tasks need to write. */
  private record Sink(List<FieldWriter> writers, SerializableConfiguration hadoop)
      implements CheckpointSink {
    @Override
    public void write(Box box, BlockCells cells) {
      for (int field = 0; field < writers.size(); field++) {
        writers.get(field).write(box, cells.fields().get(field), hadoop.value());
      }
    }
  }

  private final class Checkpoint implements CheckpointPlan.Checkpoint {
    private final String name;
    private final ZarrGroup group;
    private final List<FieldWriter> writers;
    private final SerializableConfiguration settings =
        new SerializableConfiguration(spark.hadoopConfiguration());

    Checkpoint(String name, ZarrGroup group, List<FieldWriter> writers) {
      this.name = name;
      this.group = group;
      this.writers = writers;
    }

    @Override
    public CheckpointSink sink() {
      return new Sink(writers, settings);
    }

    @Override
    public void commit(SampleSeries samples) {
      writers.forEach(writer -> writer.commit(settings.value()));
      SampleFile.write(group, samples, settings.value());
      group.complete(Map.of());
      checkpoints(folder).stream()
          .filter(other -> other.compareTo(name) < 0)
          .forEach(folder::remove);
    }

    @Override
    public void abort() {
      folder.remove(name);
    }

    @Override
    public JavaRDD<BlockCells> blocks() {
      return GridSources.of(spark, blocks, type, cells(group, program, settings));
    }
  }
}
