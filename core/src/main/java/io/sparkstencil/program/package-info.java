/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Stencil programs: expressions over neighbouring cells of fields in one to three dimensions, and
 * what follows from them. Imports only the model and errors.
 *
 * <ul>
 *   <li>To write: a {@code ProgramBuilder} takes an {@code Expression} for each {@code Field} that
 *       changes, under names that {@code ProgramNames} allow.
 *   <li>To hold: {@code GraphBuilder} makes a {@code StencilProgram}: {@code Node}s, which are
 *       {@code Operation}s, an {@code Update} for each new value, {@code Stage}s of updates that do
 *       not read each other, and a {@code FieldBoundary} for each field.
 *   <li>To know: {@code ProgramTraits} has what engines need, among it the {@code Reach} into each
 *       field; {@code LinearForm} says what a weighted sum comes to.
 *   <li>To change: {@code Contraction} fuses products with sums; {@code NanFreeProgram} asks for no
 *       missing cells; {@code Batched} takes many arrays at once, {@code PlacedProgram} an array
 *       that has a {@code Placement} in a grid; {@code Marks} is the program of which results
 *       depend on nulls.
 *   <li>To run: {@code ProgramArrays} of some {@code Extent}, with {@code ParameterValues}; {@code
 *       io.sparkstencil.engine} has what runs them.
 *   <li>To name and print: {@code ProgramDigest} and {@code ProgramPrinter}.
 * </ul>
 *
 * <p>Users begin with {@link io.sparkstencil.program.text.ProgramText}, which reads a program from
 * text, or with {@link io.sparkstencil.program.StencilProgram#of}, whose builder makes the same in
 * Java. Offsets, positions and sizes are given slowest axis first.
 */
package io.sparkstencil.program;
