/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code solve}: an equation on a grid over executors, from first cells to pictures.
 *
 * <ul>
 *   <li>To say what: {@code SolveCommand} has {@code ProblemOptions}, {@code RunOptions} and {@code
 *       OutputOptions}; a {@code BoundaryOption} has rules outside, {@code Until} says when to
 *       stop.
 *   <li>To make a problem: a {@code Problem} is an {@code Equation} with a name, or a file; {@code
 *       VaryingAxes} are those that its equation has to do with.
 *   <li>To begin: {@code GivenCells} are a {@code NamedShape}, a {@code PositionFormula} or a file;
 *       a {@code CellTable} has sources and receivers.
 *   <li>To run: {@code SolveRun}; {@code ProgressLine} says how far it is.
 *   <li>To show: {@code PlaneReader} brings planes to the driver, {@code Picture} draws them;
 *       {@code CellOutput} writes cells, {@code SolveReport} says what was done.
 *   <li>To check: {@code Convergence} needs no Spark.
 * </ul>
 */
package io.sparkstencil.jobs.solve;
