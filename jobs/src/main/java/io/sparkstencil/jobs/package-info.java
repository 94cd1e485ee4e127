/**
 * The {@code stencil} command and its jobs: arguments in, tables, plots and reports out. The only
 * package that reads a command line or ends the process.
 */
package io.sparkstencil.jobs;
