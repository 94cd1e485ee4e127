/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.BoundaryTables;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.codegen.program.StepKernel;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The stages of a program, for fields of one type and size. */
public final class Stages {
  private final ProgramTraits traits;
  private final ElementType type;
  private final List<Integer> sizes;
  private final BoundaryTables tables;
  private final List<StepKernel> kernels = new ArrayList<>();
  private final int[] stageOf;
  private final boolean[] readLater;
  private final Set<Integer> renamed;

  /**
   * Prepares the stages.
   *
   * @param sizes the cells of a field along each axis of the program
   * @param renamed the fields that get the cells of others, so that no stage computes them
   */
  public Stages(ProgramTraits traits, ElementType type, List<Integer> sizes, Set<Integer> renamed) {
    this.traits = traits;
    this.renamed = Set.copyOf(renamed);
    this.type = type;
    this.sizes = sizes;
    tables = new BoundaryTables(traits);
    stageOf = new int[traits.program().updates().size()];
    readLater = new boolean[traits.stages().size()];
    for (int s = 0; s < traits.stages().size(); s++) {
      StepKernel kernel = new StepKernel(traits, computed(s), type, tables);
      kernels.add(kernel);
      for (Update update : traits.stages().get(s).updates()) {
        stageOf[update.field()] = s;
      }
      for (StepKernel.Source source : kernel.sources()) {
        if (source.updated()) {
          readLater[stageOf[source.field()]] = true;
        }
      }
    }
  }

  /** Returns a stage without the updates of fields that are renamed. */
  private Stage computed(int s) {
    Stage stage = traits.stages().get(s);
    if (renamed.isEmpty()) {
      return stage;
    }
    List<Update> updates =
        stage.updates().stream().filter(update -> !isRenamed(update.field())).toList();
    List<Node> nodes = traits.program().nodes();
    TreeSet<Integer> needed = new TreeSet<>();
    updates.forEach(update -> needed.add(update.node()));
    for (int node = nodes.size() - 1; node >= 0; node--) {
      if (needed.contains(node)) {
        needed.addAll(nodes.get(node).inputs());
      }
    }
    return new Stage(updates, List.copyOf(needed));
  }

  /** Returns whether a field gets the cells of another. */
  public boolean isRenamed(int field) {
    return renamed.contains(field);
  }

  /** Returns a name for the text of a stage's kernel, among those of the program. */
  public String label(int stage) {
    return "stage" + stage + (renamed.isEmpty() ? "" : "_renamed");
  }

  /** Returns the traits of the program. */
  public ProgramTraits traits() {
    return traits;
  }

  /** Returns the number of axes of the program. */
  public int dimensions() {
    return traits.program().dimensions();
  }

  /** Returns the type of the cells. */
  public ElementType type() {
    return type;
  }

  /** Returns the number of fields that are updated. */
  public int updated() {
    return stageOf.length;
  }

  /** Returns the cells of a field along three axes. */
  public List<Integer> sizes() {
    return ArrayView.threeAxes(sizes, 1);
  }

  /** Returns all cells of a field. */
  public Span all() {
    return new Span(Stored.start(), sizes());
  }

  /** Returns the number of stages. */
  public int count() {
    return kernels.size();
  }

  /** Returns the kernel of a stage. */
  public StepKernel stage(int stage) {
    return kernels.get(stage);
  }

  /** Returns the stage that updates a field. */
  public int stageOf(int field) {
    return stageOf[field];
  }

  /** Returns whether later stages of a step read what a stage writes. */
  public boolean isReadLater(int stage) {
    return readLater[stage];
  }

  /** Returns the table of positions outside the fields. */
  public int[] boundaryTable() {
    return tables.table(sizes);
  }

  /** Returns which cells are computed when, for those of a box to be right some steps on. */
  public SlabGeometry geometry(Span target, int steps) {
    return new SlabGeometry(traits, sizes(), target, steps);
  }
}
