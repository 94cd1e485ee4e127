/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.files.FileSum;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.zarr.GroupSums;
import io.sparkstencil.spark.files.zarr.ZarrGroup;
import io.sparkstencil.spark.files.zarr.ZarrLayout;
import io.sparkstencil.spark.files.zarr.ZarrWriter;
import io.sparkstencil.spark.grid.cells.FieldCells;
import io.sparkstencil.spark.grid.cells.FileCells;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.tasks.BlockCells;
import io.sparkstencil.spark.grid.tasks.CheckpointSink;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Checkpoints as groups of Zarr arrays: one array per field, one chunk per block, or several of a
 * large one, without halos, and one of samples. A group whose attribute {@code complete} is missing
 * was not finished. The folder belongs to one run at a time, whose number is part of the name of
 * each group, so that no two runs ever write into one.
 */
public final class ZarrCheckpoints implements CheckpointPlan.Files {
  private final JavaSparkContext spark;
  private final ZarrGroup folder;
  private final FolderLease lease;
  private final StencilProgram program;
  private final GridBlocks blocks;
  private final ElementType type;
  private final String run;
  private final boolean isResumed;

  /**
   * A complete checkpoint.
   *
   * @param step the steps of the grid
   * @param type the type of the cells
   * @param sizes the cells along each axis
   * @param fields where the cells of each field are, in the program's order
   * @param samples what receivers have sampled up to there
   * @param note what users should know of it
   */
  public record Found(
      long step,
      ElementType type,
      List<Long> sizes,
      List<FieldCells> fields,
      Optional<SampleSeries> samples,
      Optional<String> note) {}

  /**
   * How a folder is taken.
   *
   * @param resumed the folder of the checkpoint that the grid goes on from; null if it does not. If
   *     it is the same one, however it is spelled, complete checkpoints stay until there is another
   * @param overwrites whether checkpoints of other runs are removed
   * @param takesOver whether another run that may not have ended loses the folder
   */
  public record Rights(String resumed, boolean overwrites, boolean takesOver) {}

  /**
   * Takes a folder, which is made if it is not there. Closing gives it back.
   *
   * @param path a folder for the checkpoints of one grid
   * @throws InvalidStencilException if the folder is another run's, or has checkpoints that would
   *     be lost or mistaken for those of this grid
   */
  public ZarrCheckpoints(
      JavaSparkContext spark,
      String path,
      StencilProgram program,
      GridBlocks blocks,
      ElementType type,
      Rights rights) {
    this.spark = spark;
    this.program = program;
    this.blocks = blocks;
    this.type = type;
    this.run = UUID.randomUUID().toString().replace("-", "");
    Configuration hadoop = spark.hadoopConfiguration();
    folder =
        ZarrGroup.exists(path, hadoop)
            ? ZarrGroup.open(path, hadoop)
            : ZarrGroup.create(path, Map.of(), hadoop);
    lease =
        FolderLease.take(
            StoredFile.of(path, hadoop),
            FolderOwner.here(run, spark.sc().applicationId()),
            rights.takesOver());
    boolean done = false;
    try {
      isResumed = rights.resumed() != null && lease.isOf(StoredFile.of(rights.resumed(), hadoop));
      clear(path, rights.overwrites());
      done = true;
    } finally {
      if (!done) {
        lease.close();
      }
    }
  }

  /** Removes what is left of unfinished checkpoints, and finished ones if that is wanted. */
  private void clear(String path, boolean overwrites) {
    for (String name : folder.folders(StoredCheckpoint::isName)) {
      if (isResumed) {
        if (!isComplete(folder, name)) {
          folder.remove(name);
        }
      } else if (overwrites || !(isComplete(folder, name) || folder.hasSums(name))) {
        folder.remove(name);
      } else {
        throw new InvalidStencilException(
            "the folder of checkpoints %s has one already, %s; go on from it with --resume %s, remove it with --overwrite, in Java overwriteCheckpoints(), or choose another folder"
                .formatted(path, name, path));
      }
    }
  }

  private static boolean isComplete(ZarrGroup folder, String name) {
    return folder.isGroup(name) && folder.group(name).isComplete();
  }

  /** Returns whether the grid goes on from a checkpoint in this folder. */
  public boolean isResumed() {
    return isResumed;
  }

  /**
   * Returns the latest complete checkpoint of a folder.
   *
   * @throws InvalidStencilException if there is none, or it is one of another program
   */
  public static Found latest(JavaSparkContext spark, String path, StencilProgram program) {
    Configuration hadoop = spark.hadoopConfiguration();
    ZarrGroup folder = ZarrGroup.open(path, hadoop);
    List<String> names =
        folder.folders(StoredCheckpoint::isName).stream()
            .sorted(Comparator.reverseOrder())
            .toList();
    for (String name : names) {
      if (isComplete(folder, name)) {
        return StoredCheckpoint.of(name, folder.group(name)).read(program, hadoop);
      }
    }
    throw new InvalidStencilException(
        "%s has no complete checkpoint%s; begin without one"
            .formatted(
                path, names.isEmpty() ? "" : ", and those that were not finished are " + names));
  }

  @Override
  public CheckpointPlan.Checkpoint begin(long step) {
    lease.require();
    String name = StoredCheckpoint.name(step, run);
    folder.remove(name); // one that was not completed, or what tasks have written since
    ZarrGroup group = folder.createGroup(name, StoredCheckpoint.attributes(step, program, run));
    ZarrLayout layout =
        ZarrLayout.ofBoxes(type, blocks.sizes(), new Extent(blocks.blockSizes()))
            .withDimensionNames(program.axes());
    List<ZarrWriter> writers = new ArrayList<>();
    program.fields().forEach(field -> writers.add(group.createArray(field, layout)));
    return new Checkpoint(step, name, group, writers);
  }

  @Override
  public void close() {
    lease.close();
  }

  /** What tasks need to write. */
  private record Sink(
      List<String> fields, List<ZarrWriter> writers, SerializableConfiguration hadoop)
      implements CheckpointSink {
    @Override
    public Serializable write(Box box, BlockCells cells) {
      ArrayList<FileSum> sums = new ArrayList<>();
      for (int field = 0; field < writers.size(); field++) {
        String name = fields.get(field);
        writers
            .get(field)
            .store(box, cells.fields().get(field), hadoop.value())
            .forEach(sum -> sums.add(sum.in(name)));
      }
      return sums;
    }
  }

  private final class Checkpoint implements CheckpointPlan.Checkpoint {
    private final long step;
    private final String name;
    private final ZarrGroup group;
    private final List<ZarrWriter> writers;
    private final SerializableConfiguration settings =
        new SerializableConfiguration(spark.hadoopConfiguration());
    private GroupSums sums; // null before it is complete

    Checkpoint(long step, String name, ZarrGroup group, List<ZarrWriter> writers) {
      this.step = step;
      this.name = name;
      this.group = group;
      this.writers = writers;
    }

    @Override
    public CheckpointSink sink() {
      return new Sink(List.copyOf(program.fields()), writers, settings);
    }

    @Override
    public void commit(List<Serializable> receipts, SampleSeries samples) {
      List<FileSum> files = new ArrayList<>();
      for (Serializable receipt : receipts) {
        for (Object sum : (List<?>) receipt) {
          files.add((FileSum) sum);
        }
      }
      requireAll(files);
      for (int field = 0; field < writers.size(); field++) {
        writers.get(field).commit(settings.value());
        files.add(writers.get(field).metadataSum().in(program.fields().get(field)));
      }
      files.addAll(SampleFile.write(group, samples, settings.value()));
      sums = new GroupSums(StoredCheckpoint.facts(step, program, run), files);
      lease.require();
      group.complete(sums);
      lease.require(); // again: another run may go on from what is removed now
      for (String other : folder.folders(StoredCheckpoint::isName)) {
        if (!other.equals(name) && isComplete(folder, other)) {
          folder.remove(other);
        }
      }
    }

    private void requireAll(List<FileSum> files) {
      long chunks = writers.stream().mapToLong(ZarrWriter::chunks).sum();
      long written = files.stream().map(FileSum::name).distinct().count();
      if (written != chunks) {
        throw new StencilException(
            ErrorCode.BAD_DATA,
            "%d of %d chunks of the checkpoint %s were written; run the job again"
                .formatted(written, chunks, group.metadataPath()));
      }
    }

    @Override
    public void abort() {
      folder.remove(name);
    }

    @Override
    public JavaRDD<FirstCells> blocks() {
      List<FieldCells> cells = new ArrayList<>();
      for (String field : program.fields()) {
        cells.add(new FileCells(group.source(field, sums), settings));
      }
      return GridSources.of(spark, blocks, cells);
    }
  }
}
