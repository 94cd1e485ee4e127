/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What all subcommands share: the options that reach Spark, progress, failures and exit codes. */
package io.sparkstencil.jobs.command;
