/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.CellMeaning;
import io.sparkstencil.spark.files.CellPacking;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.codec.ReadAs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An array in a file that has several of them, whatever its format. */
public final class FileArray implements FieldReader {
  /**
   * What a file says of an array.
   *
   * @param name the file and the array, for messages
   * @param shape the cells along each axis
   * @param dimensionNames a name for each axis, or nothing
   * @param attributes numbers, strings, and lists of them, by name
   * @param fill the number of cells that are not stored, or nothing if none is known
   * @param coordinates along an axis by its name, where they are no array beside it
   */
  public record Facts(
      String name,
      List<Long> shape,
      List<String> dimensionNames,
      Map<String, Object> attributes,
      Optional<Number> fill,
      Coordinates coordinates) {}

  /** Coordinates that a file computes. */
  @FunctionalInterface
  public interface Coordinates {
    /** Returns those of some cells along an axis, or nothing. */
    Optional<double[]> along(String axis, long first, int count);
  }

  private final Facts facts;
  private final CellMeaning meaning;
  private final StoredCells cells;
  private final Closeable file;

  /**
   * Makes a reader.
   *
   * @param packing what the numbers stand for
   * @param cells where they lie
   * @param file is closed with this
   */
  public FileArray(Facts facts, CellPacking packing, StoredCells cells, Closeable file) {
    this.facts = facts;
    this.meaning = new CellMeaning(packing);
    this.cells = cells;
    this.file = file;
  }

  @Override
  public ElementType type() {
    return meaning.packing().element();
  }

  @Override
  public List<Long> shape() {
    return facts.shape();
  }

  @Override
  public List<String> dimensionNames() {
    return facts.dimensionNames();
  }

  @Override
  public Map<String, Object> attributes() {
    return facts.attributes();
  }

  /** Returns the coordinates of some cells along an axis that the array has itself. */
  public Optional<double[]> coordinates(String axis, long first, int count) {
    return facts.coordinates().along(axis, first, count);
  }

  @Override
  public Optional<String> decoding() {
    return meaning.packing().inWords();
  }

  @Override
  public Object read(Box box, ElementType as) {
    CellType.of(as);
    FieldChecks.requireInside(box, shape(), facts.name());
    Number fill = facts.fill().map(meaning::value).orElse(Double.NaN);
    try {
      return cells.read(box, new ReadAs(as, meaning, () -> fill));
    } catch (IOException e) {
      throw FieldFileException.broken(
          "%s cannot be read: %s; is the file broken?".formatted(facts.name(), e.getMessage()), e);
    } catch (BufferUnderflowException
        | IndexOutOfBoundsException
        | IllegalArgumentException
        | ArithmeticException e) {
      throw FieldFileException.broken(
          "%s cannot be read: a structure ends too early; is the file broken?"
              .formatted(facts.name()),
          e);
    }
  }

  @Override
  public List<Box> pieces(Box box, int mostCells) {
    return box.pieces(mostCells, cells.unit(box.dimensions()));
  }

  @Override
  public long heapBytes(Box box) {
    return FieldReader.super.heapBytes(box) + cells.heapBytes();
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException ignored) {
      // What was read is right, and nothing was written.
    }
  }
}
