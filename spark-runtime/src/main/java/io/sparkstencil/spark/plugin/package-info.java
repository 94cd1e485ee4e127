/**
 * What an executor has once: its engines, its GPUs, their permits and the metrics. Tasks ask {@link
 * io.sparkstencil.spark.plugin.ExecutorRuntime} for an engine and give it back. Imports engines and
 * options; no Catalyst.
 */
package io.sparkstencil.spark.plugin;
