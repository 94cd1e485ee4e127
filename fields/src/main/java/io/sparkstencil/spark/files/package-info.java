/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What file formats of fields share: reading and writing by box, types of cells in files, and files
 * that appear whole. Stands below the packages of the formats.
 *
 * <ul>
 *   <li>To read: a {@code FieldSource} opens a {@code FieldReader} in each task; {@code
 *       FieldChecks} has what all of them check, {@code OtherFormat} says what a file is that is
 *       none of ours.
 *   <li>To write: a {@code FieldWriter} takes boxes from many tasks.
 *   <li>To know cells: a {@code CellFormat} is a {@code CellType} with an order of bytes; {@code
 *       HalfFloats} and {@code IntegerCells} are numbers that Java lacks.
 *   <li>To know what numbers mean: {@code CellMeaning} undoes a {@code CellPacking}; {@code
 *       MissingNumbers} become NaN.
 *   <li>To copy: {@code Runs} are the consecutive cells of a box, {@code DenseCells} their arrays.
 *   <li>To have files whole: {@code StoredFile} appears at once, {@code ExclusiveFile} never takes
 *       another's place; {@code LocalDisk} and {@code ForcedFolders} see that they last.
 *   <li>To check files: {@code FileSum}s of {@code FolderFiles}, written as {@code FactLines}.
 *   <li>To say what is wrong: {@code FieldFileException}, with {@code ShortText}.
 * </ul>
 */
package io.sparkstencil.spark.files;
