/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Tables, plots and reports as files: found, told apart, and put in their place whole or not at
 * all.
 *
 * <ul>
 *   <li>To read: {@code InputFiles} finds files and their {@code TableFormat}; {@code InputTable}
 *       reads them; {@code JsonLines} finds lines that Spark could not read, {@code RegularFiles}
 *       refuses pipes.
 *   <li>To write: a {@code Destination} is made in a {@code Workshop} beside its place, and gets
 *       its name by {@code Publication}; {@code Obstacle} says why it cannot.
 *   <li>To keep others out: {@code LockedFolder}; {@code TemporaryFolder} is one for Spark's files.
 * </ul>
 */
package io.sparkstencil.jobs.files;
