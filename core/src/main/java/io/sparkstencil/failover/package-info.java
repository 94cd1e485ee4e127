/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * One engine made of several: the first that can, and the next where one fails. Imports the engine
 * interface, staging and the model; knows no engine.
 *
 * <ul>
 *   <li>To choose: a {@code FailoverEngine} has the candidates of a task.
 *   <li>To run: its {@code FailoverLane} goes on with smaller batches ({@code BatchPieces}) or
 *       another engine.
 *   <li>To count: {@code BatchTotals}.
 * </ul>
 */
package io.sparkstencil.failover;
