/** Sorting rows on the CPU. */
package io.sparkstencil.cpu.sort;
