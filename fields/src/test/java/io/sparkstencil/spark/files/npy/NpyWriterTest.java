/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NpyWriterTest {
  private static final List<Long> SOLID = List.of(3L, 4L, 5L);

  @TempDir private Path folder;

  private String path(String scheme, String name) {
    return "%s://%s".formatted(scheme, folder.resolve(name));
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** As the driver sends it to tasks. */
  private static FieldWriter sent(FieldWriter writer) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(writer);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        return (FieldWriter) in.readObject();
      }
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static void write(FieldWriter writer, Box box, String type) {
    double[] cells = FieldFixtures.cells(writer.shape(), box, type);
    writer.write(box, FieldFixtures.typed(cells, writer.type()), HADOOP);
  }

  /** Blocks of the solid: cuts along each axis, none of them regular. */
  private static List<Box> blocks() {
    List<Box> blocks = new ArrayList<>();
    for (long[] z : new long[][] {{0, 1}, {1, 3}}) {
      for (long[] y : new long[][] {{0, 3}, {3, 4}}) {
        for (long[] x : new long[][] {{0, 2}, {2, 3}, {3, 5}}) {
          blocks.add(Box.between(List.of(z[0], y[0], x[0]), List.of(z[1], y[1], x[1])));
        }
      }
    }
    Collections.shuffle(blocks, new Random(7));
    return blocks;
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "whole"})
  void tasksWriteBoxesInAnyOrderAndMoreThanOnce(String scheme) throws IOException {
    String path = path(scheme, "u.npy");
    FieldWriter writer = NpyFile.create(path, ElementType.F32, SOLID, HADOOP);
    for (Box block : blocks()) {
      write(sent(writer), block, "f4");
    }
    write(sent(writer), blocks().get(3), "f4");
    assertThat(left()).doesNotContain("u.npy");
    writer.commit(HADOOP);

    assertThat(left()).containsExactly("u.npy");
    try (NpyFile file = NpyFile.open(path, HADOOP)) {
      Box whole = FieldFixtures.whole(SOLID);
      assertThat(FieldFixtures.doubles(file.read(whole, ElementType.F32)))
          .isEqualTo(FieldFixtures.cells(SOLID, whole, "f4"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "whole"})
  void commitReplacesAFileAndAbortLeavesIt(String scheme) throws IOException {
    String path = path(scheme, "u.npy");
    NpyFile.write(path, Extent.of(2), new double[] {1, 2}, HADOOP);
    NpyFile.write(path, Extent.of(3), new double[] {6, 7, 8}, HADOOP);
    NpyFile.write(path, Extent.of(3), new double[] {3, 4, 5}, HADOOP);
    FieldWriter writer = NpyFile.create(path, ElementType.F64, List.of(4L), HADOOP);
    writer.write(new Box(List.of(0L), Extent.of(2)), new double[2], HADOOP);
    writer.abort(HADOOP);
    writer.abort(HADOOP);

    assertThat(left()).containsExactly("u.npy");
    try (NpyFile file = NpyFile.open(path, HADOOP)) {
      assertThat((double[]) file.read(Box.whole(Extent.of(3)), ElementType.F64))
          .containsExactly(3, 4, 5);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"13", "5x7", "3x4x5"})
  void writesTheBytesThatNumpyWrites(String shape) throws IOException {
    FieldFixtures.unpack("npy", folder);
    List<Long> sizes = Stream.of(shape.split("x")).map(Long::valueOf).toList();
    String name = sizes.size() == 1 ? "line" : sizes.size() == 2 ? "little-f4" : "solid";
    ElementType type = sizes.size() == 1 ? ElementType.F64 : ElementType.F32;
    Box whole = FieldFixtures.whole(sizes);
    Object cells = FieldFixtures.typed(FieldFixtures.cells(sizes, whole, "f8"), type);
    NpyFile.write(path("file", "u.npy"), whole.extent(), cells, HADOOP);

    assertThat(folder.resolve("u.npy"))
        .hasBinaryContent(Files.readAllBytes(folder.resolve("npy/%s.npy".formatted(name))));
  }

  @Test
  void commitFindsCellsThatNoTaskOrTwoTasksWrote() throws IOException {
    String path = path("whole", "u.npy");
    FieldWriter gap = NpyFile.create(path, ElementType.F32, SOLID, HADOOP);
    blocks().stream().skip(1).forEach(block -> write(gap, block, "f4"));
    assertThatThrownBy(() -> gap.commit(HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("by no task");
    gap.abort(HADOOP);

    FieldWriter twice = NpyFile.create(path, ElementType.F32, List.of(4L), HADOOP);
    write(twice, new Box(List.of(0L), Extent.of(3)), "f4");
    write(twice, new Box(List.of(2L), Extent.of(2)), "f4");
    assertThatThrownBy(() -> twice.commit(HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("cells 2 to 2")
        .hasMessageContaining("in two boxes");
    twice.abort(HADOOP);

    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "whole"})
  void refusesBoxesAndArraysThatDoNotFit(String scheme) {
    FieldWriter writer =
        NpyFile.create(path(scheme, "u.npy"), ElementType.F32, List.of(4L), HADOOP);
    assertThatThrownBy(() -> writer.write(new Box(List.of(3L), Extent.of(2)), new float[2], HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("outside");
    assertThatThrownBy(() -> writer.write(Box.whole(Extent.of(2)), new double[2], HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("double[] of 2");
    assertThatThrownBy(() -> writer.write(Box.whole(Extent.of(2)), new float[3], HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("float[] of 3");
    assertThatThrownBy(
            () -> NpyFile.create(path(scheme, "u.npy"), ElementType.I64, List.of(4L), HADOOP))
        .isInstanceOf(FieldFileException.class);
    assertThatThrownBy(
            () -> NpyFile.create(path(scheme, "u.npy"), ElementType.F32, List.of(0L), HADOOP))
        .isInstanceOf(FieldFileException.class);
  }

  @Test
  void saysThatTheFolderIsNotShared() throws IOException {
    FieldWriter writer =
        NpyFile.create(path("file", "u.npy"), ElementType.F32, List.of(4L), HADOOP);
    for (String name : left()) {
      Files.delete(folder.resolve(name));
    }
    assertThatThrownBy(() -> write(writer, Box.whole(Extent.of(4)), "f4"))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("all machines share");
    assertThat(left()).isEmpty();
  }
}
