/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What all subcommands share: the options that reach Spark, progress, failures and exit codes.
 *
 * <ul>
 *   <li>To be called: {@code SparkCommand} has the options and streams of all commands; a {@code
 *       Subcommand} comes in a jar of its own; {@code GridSize} reads one kind of option; {@code
 *       UsageMessage} says what is wrong with a call.
 *   <li>To reach Spark: {@code SparkArguments} opens a {@code SparkRun}, if {@code HadoopOnJava}
 *       says that this JVM can.
 *   <li>To end: {@code Failure} makes a line and an {@code ExitCode} of what was thrown; {@code
 *       SparkText} has Spark's words in ours, {@code FullDisk} those of a disk without space.
 *   <li>To print: {@code PrintableWriter}, {@code CellRate}, {@code StencilVersion}.
 *   <li>To start sooner: {@code FastStart}.
 * </ul>
 */
package io.sparkstencil.jobs.command;
