/**
 * Programs on the CPU: instructions over runs of cells, applied to tiles that stay in the cache for
 * several steps.
 */
package io.sparkstencil.cpu.program;
